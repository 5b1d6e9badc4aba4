// The page of a study: the influence of parameters, a scatter plot, histograms, and failed runs. A click on a point
// shows its run, with the command that computes it again.
import uPlot from 'uplot';
import {h} from './dom.js';
import {shown} from './numbers.js';
import {seriesColour} from './theme.js';

const kNear = 20; // pixels between a click and a point that it chooses
const kHeight = 360; // pixels of the scatter plot
const kBars = uPlot.paths.bars({size: [1, Infinity], align: 1});

const study = JSON.parse(document.getElementById('study').textContent);
const columns = [...study.parameters, ...study.results];
const named = (name) => columns.find((one) => one.name === name);

/** The colors that the theme gives to texts and lines of plots. */
function inks() {
  const style = getComputedStyle(document.documentElement);
  return {ink: style.getPropertyValue('--ink').trim(), faint: style.getPropertyValue('--line').trim()};
}

function axis(label) {
  const {ink, faint} = inks();
  return {
    stroke: ink,
    grid: {stroke: faint, width: 1},
    ticks: {stroke: faint},
    size: label ? 60 : 50,
    values: (_, numbers) => numbers.map((one) => shown(one, 3)),
  };
}

/** Rows with both numbers, in the order of x, as uPlot needs them. */
function pairs(x, y) {
  const rows = study.row.map((row, place) => ({row, x: x.values[place], y: y.values[place]}));
  return rows.filter((one) => one.x !== null && one.y !== null).sort((a, b) => a.x - b.x);
}

class Scatter {
  constructor(choose) {
    this.choose = choose;
    this.chosen = null;
    this.x = this.choice(study.parameters[0] ?? columns[0]);
    this.y = this.choice(study.results[0] ?? columns[0]);
    this.place = h('div', {class: 'scatter'});
    this.element = h(
      'div',
      {},
      h('p', {class: 'choices'}, h('label', {}, 'across ', this.x), h('label', {}, 'up ', this.y)),
      this.place,
    );
  }

  choice(first) {
    const options = columns.map(({name}) => h('option', {value: name, selected: name === first?.name}, name));
    return h('select', {onchange: () => this.draw()}, ...options);
  }

  show(x, y) {
    this.x.value = x;
    this.y.value = y;
    this.draw();
    this.element.scrollIntoView({block: 'nearest'});
  }

  draw() {
    this.plot?.destroy();
    this.points = pairs(named(this.x.value), named(this.y.value));
    const colour = seriesColour(0);
    const options = {
      width: this.place.clientWidth || 600,
      height: kHeight,
      legend: {show: false},
      cursor: {points: {show: false}},
      scales: {x: {time: false}},
      axes: [axis(''), axis(this.y.value)],
      series: [{}, {paths: () => null, points: {show: true, size: 6, stroke: colour, fill: colour}}],
      hooks: {draw: [(plot) => this.ring(plot)]},
    };
    const data = [this.points.map((one) => one.x), this.points.map((one) => one.y)];
    this.plot = new uPlot(options, data, this.place);
    this.plot.over.addEventListener('click', (event) => this.clicked(event));
  }

  /** Where a point is, in pixels of the plot. */
  at(point) {
    return [this.plot.valToPos(point.x, 'x'), this.plot.valToPos(point.y, 'y')];
  }

  clicked({offsetX, offsetY}) {
    const distances = this.points.map((point) => {
      const [x, y] = this.at(point);
      return Math.hypot(x - offsetX, y - offsetY);
    });
    const least = distances.reduce((most, one, place) => (one < distances[most] ? place : most), 0);
    if (distances[least] <= kNear) this.choose(this.points[least].row);
  }

  mark(row) {
    this.chosen = row;
    this.plot.redraw();
  }

  ring(plot) {
    const point = this.points.find((one) => one.row === this.chosen);
    if (!point) return;
    const {ctx} = plot;
    ctx.beginPath();
    ctx.arc(plot.valToPos(point.x, 'x', true), plot.valToPos(point.y, 'y', true), 7 * uPlot.pxRatio, 0, 2 * Math.PI);
    ctx.lineWidth = 2 * uPlot.pxRatio;
    ctx.strokeStyle = inks().ink;
    ctx.stroke();
  }
}

/** The numbers of one run, and the command that computes it again. */
function card(row) {
  const place = study.row.indexOf(row);
  const failed = study.failed.find((one) => one.row === row);
  const command = `python -m vinculum study replay ${study.folder} ${row}`;
  const value = ({values}) => (typeof values[place] === 'string' ? values[place] : shown(values[place], 6));
  return [
    h('h3', {}, `Run ${row}`),
    failed ? h('p', {}, `${failed.kind}: ${failed.message}`) : null,
    h('p', {}, h('code', {}, command)),
    h('button', {type: 'button', onclick: () => navigator.clipboard?.writeText(command)}, 'Copy the command'),
    place < 0
      ? h('p', {class: 'dim'}, 'The page contains a part of the runs only, and not the numbers of this one.')
      : h('table', {}, ...columns.map((one) => h('tr', {}, h('th', {}, one.name), h('td', {}, value(one))))),
  ];
}

function histogram(result, chosen) {
  const place = h('div');
  const title = h('button', {type: 'button', onclick: chosen}, result.name);
  const draw = () => {
    const colour = seriesColour(2);
    const options = {
      width: place.clientWidth || 260,
      height: 160,
      legend: {show: false},
      cursor: {show: false},
      scales: {x: {time: false, range: [result.edges[0], result.edges.at(-1)]}, y: {range: (_, __, max) => [0, max]}},
      axes: [{...axis(''), size: 30}, axis('')],
      series: [{}, {paths: kBars, stroke: colour, fill: `${colour}55`, points: {show: false}}],
    };
    return new uPlot(options, [result.edges.slice(0, -1), result.counts], place);
  };
  return {element: h('div', {class: 'histogram'}, h('h3', {}, title), place), draw};
}

/** Rank correlations as a table: one line per result. A cell chooses its pair for the scatter plot. */
function influence(scatter) {
  const head = h('tr', {}, h('th', {}, ''), ...study.influence.parameters.map((name) => h('th', {}, name)));
  const cell = (result, parameter, value) => {
    const strength = value === null ? 0 : Math.round(35 * Math.abs(value));
    const colour = value > 0 ? 'var(--blue)' : 'var(--accent)';
    const style = `background: color-mix(in srgb, ${colour} ${strength}%, var(--ground))`;
    const show = () => scatter.show(parameter, result);
    const title = `${result} over ${parameter}`;
    return h(
      'td',
      {},
      h('button', {type: 'button', style, title, onclick: show}, value === null ? '–' : shown(value, 2)),
    );
  };
  const lines = study.influence.results.map((result, k) =>
    h(
      'tr',
      {},
      h('th', {}, result),
      ...study.influence.parameters.map((parameter, i) => cell(result, parameter, study.influence.values[k][i])),
    ),
  );
  return h('div', {class: 'scroll'}, h('table', {class: 'influence'}, head, ...lines));
}

function start() {
  document.title = study.title;
  const details = h('div', {class: 'card'}, h('p', {class: 'dim'}, 'Click a point to see its run.'));
  const number = h('input', {
    type: 'number',
    min: 0,
    max: study.rows - 1,
    onchange: () => choose(Math.min(study.rows - 1, Math.max(0, Math.round(Number(number.value))))),
  });
  const scatter = new Scatter(choose);
  function choose(row) {
    details.replaceChildren(...card(row).filter(Boolean));
    number.value = row;
    scatter.mark(row);
  }
  const histograms = study.results.map((one) => histogram(one, () => scatter.show(scatter.x.value, one.name)));
  const failures = study.failed.map((one) =>
    h('button', {type: 'button', onclick: () => choose(one.row)}, `run ${one.row}: ${one.kind}`),
  );
  document
    .getElementById('app')
    .append(
      h('h1', {}, study.title),
      h('p', {class: 'summary'}, study.summary),
      study.row.length < study.done ? h('p', {class: 'dim'}, `The scatter plot has ${study.row.length} of them.`) : '',
      h('h2', {}, 'Runs'),
      h('p', {class: 'choices'}, h('label', {}, 'run ', number)),
      h('div', {class: 'beside'}, scatter.element, details),
      h('h2', {}, 'Influence'),
      h('p', {class: 'dim'}, 'Rank correlation of each result with each parameter, from −1 to 1.'),
      influence(scatter),
      h('h2', {}, 'Distributions'),
      h('div', {class: 'many'}, ...histograms.map((one) => one.element)),
      ...(failures.length ? [h('h2', {}, 'Failed runs'), h('p', {class: 'choices'}, ...failures)] : []),
    );
  const draw = () => {
    document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    scatter.draw();
    for (const one of histograms) {
      one.plot?.destroy();
      one.plot = one.draw();
    }
  };
  draw();
  window.study = {scatter}; // for tests
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  addEventListener('resize', draw);
}

start();
