// Draws plots on a common time axis, with one unit per plot. The current time is a separate element above the plots, so
// that no plot is redrawn while the motion plays.
import uPlot from 'uplot';
import {chip, h} from './dom.js';
import {bracketed, shown} from './numbers.js';
import {nothingBelow} from './rounding.js';
import {sizes, stepAt} from './scene.js';
import {constraintColour, kDashes, seriesColour} from './theme.js';
import {XyPlot} from './xy.js';
import {actingTimes, instantsOf, joined, kTickGap, namesAt, stride} from './timeline.js';

const kTitles = {
  forces: 'Constraint forces, magnitudes',
  torques: 'Constraint torques, magnitudes',
  outputs: 'Outputs',
  coordinates: 'Coordinates',
  speeds: 'Speeds',
  multipliers: 'Multipliers',
  states: 'States',
  energies: 'Energy',
  powers: 'Powers',
  balance: 'Energy balance',
  residuals: 'Residuals, size',
};
const kShortTitles = {forces: 'Forces', torques: 'Torques', balance: 'Balance', residuals: 'Residuals'};
const kAtOnce = new Set(['forces', 'torques', 'outputs', 'coordinates', 'speeds']);
const kMostSeries = 8; // lines per plot
const kMostOpen = 5; // number of plots that are open initially
const kStill = 1e-9; // a line is constant if it changes by less than this fraction of the largest value of its group

/**
 * Groups the quantities of a scene into plots: [{key, title, unit, isLog, isOpen, lines: [{name, colour(), dash,
 * motion, values}]}]
 */
export function groupsOf(scene) {
  const groups = new Map();
  const add = (kind, unit, line) => {
    const key = `${kind} ${unit}`;
    if (!groups.has(key)) groups.set(key, {key, kind, unit, isLog: kind === 'residuals', lines: []});
    groups.get(key).lines.push(line);
  };
  scene.motions.forEach((motion, m) => {
    const name = (text) => (scene.motions.length > 1 ? `${text} (${motion.name})` : text);
    const revealed = (isTorque) =>
      scene.reveals.filter(({torque}) => torque === isTorque).map((one) => ({...one, constraint: one.name}));
    for (const [kind, items] of [
      ['forces', scene.forces.concat(revealed(false))],
      ['torques', scene.torques.concat(revealed(true))],
    ]) {
      for (const item of items.filter(({value}) => motion.has(value))) {
        const values = sizes(motion, item.value);
        const same = items.filter(({constraint}) => constraint === item.constraint).indexOf(item);
        add(kind, item.unit, {
          name: name(`${item.constraint} on ${item.on}`),
          colour: () => constraintColour(scene, item.constraint),
          dash: kDashes[(m + same) % kDashes.length],
          motion,
          values,
          isPale: m > 0,
          isNotUnique: motion.isEverShared(item.value),
        });
      }
    }
    for (const one of motion.series) {
      const isLog = one.group === 'residuals';
      const place = motion.series.filter((other) => other.group === one.group && other.unit === one.unit).indexOf(one);
      add(one.group, one.unit, {
        name: name(one.name.replace(/^residual\((.*)\)$/, '$1')),
        colour: () => seriesColour(place),
        dash: kDashes[m % kDashes.length],
        motion,
        isPale: m > 0,
        isNotUnique: one.unique === false,
        steps: one.steps ? motion.steps(one) : null,
        get values() {
          return isLog ? one.values.map(Math.abs) : one.values;
        },
      });
    }
  });
  const order = Object.keys(kTitles);
  const all = [...groups.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const many = (kind) => all.filter((one) => one.kind === kind).length > 1;
  for (const one of all)
    one.nothing = one.kind === 'residuals' || one.kind === 'balance' ? 0 : nothingBelow(scene, one.unit);
  let open = 0;
  for (const one of all) {
    sortConstants(one);
    one.title = kTitles[one.kind];
    one.name =
      (kShortTitles[one.kind] ?? one.title) +
      (many(one.kind) && one.unit !== '1' ? `, ${one.unit.replaceAll('*', '·')}` : '');
    const isWanted = kAtOnce.has(one.kind) || (one.kind === 'states' && one.lines.some(({steps}) => steps));
    one.isOpen = isWanted && open < kMostOpen;
    open += one.isOpen && one.lines.length > 0 ? 1 : 0;
  }
  return all;
}

/** Removes lines that never change from a group; these quantities are listed with their values instead. */
function sortConstants(group) {
  const extents = group.lines.map(({values}) =>
    values.reduce(
      ([low, high], v) => (Number.isFinite(v) ? [Math.min(low, v), Math.max(high, v)] : [low, high]),
      [Infinity, -Infinity],
    ),
  );
  const largest = extents.reduce((most, [low, high]) => Math.max(most, Math.abs(low), Math.abs(high)), 0);
  const isStill = ([low, high], {motion}) =>
    motion.t.length > 2 && high - low <= kStill * largest && Number.isFinite(low);
  const isZero = ([low, high]) => Math.max(Math.abs(low), Math.abs(high)) <= group.nothing;
  const still = group.lines
    .map((line, k) => ({
      line,
      name: line.name,
      value: Math.abs(extents[k][1]) <= kStill * largest || isZero(extents[k]) ? 0 : extents[k][1],
      isStill: isStill(extents[k], line) || isZero(extents[k]),
    }))
    .filter((one) => one.isStill);
  group.zeros = still.filter(({value}) => value === 0).map(({name}) => name);
  group.constants = still.filter(({value}) => value !== 0);
  group.resting = still.map(({line}) => line);
  group.lines = group.lines.filter((line) => !group.resting.includes(line));
}

const kStepped = uPlot.paths.stepped({align: 1});
const valueOf = ({motion, values, steps}, time) => (steps ? stepAt(steps, time) : motion.valueAt(values, time));

class Plot {
  constructor(owner, group) {
    Object.assign(this, {owner, group});
    this.values = group.lines.map(() => h('span', {class: 'value'}));
    this.lines = group.lines.slice(0, kMostSeries);
    this.swatches = this.lines.map(() => h('i'));
    const rest = group.lines.length - this.lines.length;
    this.legend = h(
      'div',
      {class: 'legend'},
      h('h3', {}, group.title, ' ', h('span', {class: 'unit'}, bracketed(group.unit))),
      this.lines.map((line, k) =>
        h(
          'span',
          {class: 'entry'},
          this.swatches[k],
          line.name,
          line.isNotUnique ? h('abbr', {title: 'one of many: redundant constraints share it'}, '≀') : '',
          ' ',
          this.values[k],
        ),
      ),
      rest > 0 ? h('span', {class: 'entry'}, `and ${rest} more in the CSV`) : null,
      group.constants.length
        ? h(
            'p',
            {class: 'constants'},
            'constant: ',
            group.constants.map(({name, value}) => `${name} = ${shown(value)}`).join(', '),
          )
        : null,
    );
    this.holder = h('div', {class: 'plot'});
    this.element = h('section', {'aria-label': group.title}, this.legend, this.holder);
    this.now = h('div', {class: 'now'});
  }

  data() {
    const number = (v) => (Number.isFinite(v) ? (this.group.isLog && v <= 0 ? null : v) : null);
    // the instants of steps are added to all lines of a motion, so that all lines have the same times
    const timesOf = new Map();
    for (const {motion} of this.lines) {
      if (timesOf.has(motion)) continue;
      const added = this.lines
        .filter((line) => line.motion === motion && line.steps)
        .flatMap(({steps}) => steps.map(([t]) => t));
      timesOf.set(motion, added.length > 0 ? [...motion.t, ...added].sort((a, b) => a - b) : Array.from(motion.t));
    }
    const tables = this.lines.map((line) => {
      const times = timesOf.get(line.motion);
      const isAsStored = !line.steps && times.length === line.motion.t.length;
      return [times, isAsStored ? Array.from(line.values, number) : times.map((t) => number(valueOf(line, t)))];
    });
    if (this.owner.scene.motions.length === 1) return [tables[0][0], ...tables.map(([, values]) => values)];
    return uPlot.join(
      tables,
      tables.map(() => [2, 2]),
    );
  }

  make(width) {
    this.plot?.destroy();
    this.holder.hidden = this.lines.length === 0;
    if (this.lines.length === 0) return;
    const style = getComputedStyle(document.documentElement),
      ink = style.getPropertyValue('--dim'),
      faint = style.getPropertyValue('--line');
    const axis = {
      stroke: ink,
      grid: {stroke: faint, width: 1},
      ticks: {show: false},
      font: '11px system-ui, sans-serif',
    };
    const {group, owner} = this;
    const log = group.isLog;
    this.plot = new uPlot(
      {
        width,
        height: 150,
        pxAlign: 0,
        legend: {show: false},
        padding: [8, 12, 0, 0],
        cursor: {
          sync: {key: 'vinculum', scales: ['x', null]},
          drag: {x: true, y: false, setScale: false},
          points: {size: 6},
          bind: {
            dblclick: () => () => {
              owner.zoom(null);
              return null;
            },
          },
        },
        scales: {
          x: {time: false, range: () => owner.range},
          y: log
            ? {distr: 3}
            : {
                range: (u, low, high) => {
                  if (low === null) return [0, 1];
                  const pad = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
                  return [low - pad, high + pad];
                },
              },
        },
        axes: [
          {
            ...axis,
            size: 26,
            values: (u, ticks) =>
              ticks.map((t, k) =>
                k === 0 ? `t = ${shown(t, 3).replace(/\.0+$/, '')}` : String(Number(t.toPrecision(6))),
              ),
          },
          {
            ...axis,
            size: 56,
            values: (u, ticks) =>
              ticks.map((v) =>
                v === null
                  ? ''
                  : log
                    ? Number.isInteger(Math.round(1e6 * Math.log10(v)) / 1e6)
                      ? shown(v, 3)
                      : ''
                    : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3)
                      ? shown(v, 3)
                      : String(Number(v.toPrecision(6))).replace('-', '−'),
              ),
          },
        ],
        series: [
          {},
          ...this.lines.map((line) => ({
            stroke: line.colour(),
            width: line.isPale ? 1.1 : 1.6,
            dash: line.dash,
            alpha: line.isPale ? 0.75 : 1,
            spanGaps: owner.scene.motions.length > 1,
            points: {show: false},
            ...(line.steps ? {paths: kStepped} : {}),
          })),
        ],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width > 6)
                owner.zoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
              u.setSelect({left: 0, width: 0, top: 0, height: 0}, false);
            },
          ],
          drawClear: [(u) => this.drawActing(u)],
          drawAxes: [
            (u) => {
              this.drawEvents(u, ink);
              this.drawTicks(u, ink);
            },
          ],
          ready: [
            (u) => {
              u.over.append(this.now);
              u.ctx.canvas.setAttribute('role', 'img');
              u.ctx.canvas.setAttribute('aria-label', `plot: ${group.name}`);
              let down = null;
              u.over.addEventListener('mousedown', (event) => {
                down = event.clientX;
              });
              u.over.addEventListener('mouseup', (event) => {
                if (down !== null && Math.abs(event.clientX - down) < 4)
                  owner.choose(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x'));
                down = null;
              });
            },
          ],
          setCursor: [
            (u) => {
              const isOver = u.cursor.left >= 0;
              this.showValues(isOver ? u.posToVal(u.cursor.left, 'x') : owner.time);
              if (isOver) u.over.title = this.namesAt(u);
            },
          ],
        },
      },
      this.data(),
      this.holder,
    );
    this.lines.forEach((line, k) => {
      this.swatches[k].style.setProperty('--c', line.colour());
      this.swatches[k].classList.toggle('dashed', line.dash.length > 0);
    });
    this.showTime(owner.time);
  }

  /** Returns the names of everything that happens within three pixels of the cursor. */
  namesAt(u) {
    const [a, b] = [0, 3].map((off) => u.posToVal(u.cursor.left + off, 'x'));
    return namesAt(this.owner.scene, a, b - a).join('\n');
  }

  /** Shades the intervals in which constraints with `when` act, and draws a bar for each constraint in its own row. */
  drawActing(u) {
    const {ctx} = u,
      {scene} = this.owner,
      {left, top, width, height} = u.bbox,
      perSecond = width / (u.scales.x.max - u.scales.x.min),
      bar = 3 * uPlot.pxRatio;
    ctx.save();
    actingTimes(scene)
      .filter(({isSteady}) => !isSteady)
      .forEach(({name, times}, row) => {
        ctx.fillStyle = constraintColour(scene, name);
        for (const [from, to] of joined(times, 1 / perSecond)) {
          const begin = Math.max(left, u.valToPos(from, 'x', true)),
            end = Math.min(left + width, u.valToPos(to, 'x', true));
          if (end < left || begin > left + width) continue;
          const wide = Math.max(end - begin, uPlot.pxRatio);
          ctx.globalAlpha = 0.1;
          ctx.fillRect(begin, top, wide, height);
          ctx.globalAlpha = 0.9;
          if (bar * (row + 1) < height / 2) ctx.fillRect(begin, top + bar * row * 1.3, wide, bar);
        }
      });
    ctx.restore();
  }

  /** Draws short ticks at the bottom at periodic instants, as many as the pixels can show. */
  drawTicks(u, ink) {
    const {ctx} = u,
      {left, top, width, height} = u.bbox,
      {min, max} = u.scales.x,
      perSecond = width / (max - min);
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    for (const clock of this.owner.scene.motions[0].clocks) {
      for (const t of instantsOf(clock, min, max, stride(clock.period * perSecond, kTickGap * uPlot.pxRatio))) {
        const x = left + (t - min) * perSecond;
        ctx.moveTo(x, top + height);
        ctx.lineTo(x, top + height - 5 * uPlot.pxRatio);
      }
    }
    ctx.stroke();
    ctx.restore();
  }

  drawEvents(u, ink) {
    const {ctx} = u;
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.globalAlpha = 0.6;
    ctx.setLineDash([2, 3]);
    ctx.beginPath();
    for (const {t} of this.owner.scene.events.slice(0, 200)) {
      if (t < u.scales.x.min || t > u.scales.x.max) continue;
      const x = u.valToPos(t, 'x', true);
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  showTime(time) {
    if (!this.plot) return;
    const x = this.plot.valToPos(time, 'x');
    // the width of the plot is not read from the page, because that would compute the layout once more per plot
    this.now.style.display = x < -1 || x > this.plot.bbox.width / uPlot.pxRatio + 1 ? 'none' : '';
    this.now.style.transform = `translateX(${x}px)`;
  }
  showValues(time) {
    this.lines.forEach((line, k) => {
      const value = valueOf(line, time);
      this.values[k].textContent =
        time > line.motion.end + 1e-12
          ? '–'
          : this.group.nothing > 0 && Math.abs(value) < this.group.nothing
            ? '≈ 0'
            : shown(value);
    });
  }
}

export class Plots {
  /** \param choose function that is called with the time at which the user clicks */
  constructor(scene, choose) {
    Object.assign(this, {scene, choose, time: scene.start, range: [scene.start, scene.end]});
    if (scene.end <= scene.start) this.range = [scene.start - 0.5, scene.start + 0.5];
    this.full = this.range;
    this.crossed = []; // x–y plots
    this.plots = groupsOf(scene).map((group) => new Plot(this, group));
    this.list = h('div', {class: 'plots'});
    this.zeros = h('p', {class: 'zeros', hidden: true});
    this.acting = actingTimes(scene).map(({name, times, isSteady}) => {
      const element = h('i', {class: 'area'});
      const note = isSteady ? (times.length > 0 ? ' (always)' : ' (never)') : '';
      return {name, element, entry: h('span', {class: 'entry', title: `when ${name} acts`}, element, name + note)};
    });
    this.element = h(
      'div',
      {},
      h(
        'div',
        {class: 'picker'},
        h(
          'div',
          {
            'class': 'chips',
            'role': 'group',
            'aria-label': 'plots shown',
            // the wheel of a mouse turns in one direction only
            'onwheel': (event) => {
              if (event.deltaX !== 0 || event.currentTarget.scrollWidth <= event.currentTarget.clientWidth) return;
              event.currentTarget.scrollLeft += event.deltaY;
              event.preventDefault();
            },
          },
          this.plots.map((plot) =>
            chip(
              plot.group.name,
              plot.group.isOpen,
              (on) => {
                plot.group.isOpen = on;
                this.make();
              },
              plot.group.title,
            ),
          ),
        ),
        h(
          'button',
          {
            class: 'chip plain',
            type: 'button',
            title: 'add a plot of one quantity against another',
            onclick: () => this.addXy(),
          },
          '+ x–y',
        ),
      ),
      this.acting.length > 0
        ? h(
            'div',
            {class: 'legend acting'},
            'acting:',
            this.acting.slice(0, kMostSeries).map(({entry}) => entry),
            this.acting.length > kMostSeries ? `and ${this.acting.length - kMostSeries} more` : null,
          )
        : null,
      this.list,
      this.zeros,
    );
  }
  open() {
    return this.plots.filter(({group}) => group.isOpen);
  }
  /** Returns the open plots that have something to show: a curve, or a constant other than zero. */
  filled() {
    return this.open().filter(({group}) => group.lines.length + group.constants.length > 0);
  }
  /** Returns the curves of a motion in all open plots, for a file: [{name, unit, values}]. */
  curvesOf(motion) {
    const open = this.open().flatMap(({group}) => group.lines.map((line) => ({...line, unit: group.unit})));
    const crossed = this.crossed.flatMap((plot) => {
      const {x, y} = plot.chosen();
      return [x, y].flatMap(({name, unit, curves}) => curves.map((curve) => ({...curve, name, unit})));
    });
    const kept = new Map();
    for (const one of [...open, ...crossed])
      if (one.motion === motion) kept.set(one.values, {name: one.name, unit: one.unit, values: one.values});
    return [...kept.values()];
  }
  /** Adds an x–y plot of the first two outputs, or of other quantities if there are no outputs. */
  addXy() {
    const plot = new XyPlot(this, this.quantities(), () => {
      this.crossed = this.crossed.filter((one) => one !== plot);
      this.make();
    });
    this.crossed.push(plot);
    this.make();
    plot.element.scrollIntoView({block: 'end'});
  }
  /** Returns everything that can be plotted: [{name, unit, curves: [{motion, values, dash}]}]. */
  quantities() {
    const found = new Map();
    for (const {group} of this.plots) {
      for (const {name, motion, values} of [...group.lines, ...group.resting]) {
        const plain = this.scene.motions.length > 1 ? name.slice(0, -motion.name.length - 3) : name;
        const key = `${plain} ${group.unit} ${group.kind}`;
        if (!found.has(key)) found.set(key, {name: plain, unit: group.unit, kind: group.kind, curves: []});
        found
          .get(key)
          .curves.push({motion, values, dash: kDashes[this.scene.motions.indexOf(motion) % kDashes.length]});
      }
    }
    const rank = ({kind}) => (kind === 'outputs' ? 0 : 1);
    return [...found.values()].sort((a, b) => rank(a) - rank(b));
  }
  /** Lists the quantities of the open plots that are zero all the time, in one line. */
  listZeros() {
    const names = [...new Set(this.open().flatMap(({group}) => group.zeros))];
    this.zeros.hidden = names.length === 0;
    this.zeros.textContent = `zero all the time: ${names.join(', ')}`;
    this.zeros.title = names.join('\n');
  }
  make() {
    const width = this.list.clientWidth;
    if (width < 50) return;
    this.list.replaceChildren(...[...this.crossed, ...this.filled()].map(({element}) => element));
    this.listZeros();
    for (const {name, element} of this.acting) element.style.setProperty('--c', constraintColour(this.scene, name));
    for (const plot of [...this.crossed, ...this.open()]) plot.make(width);
    this.madeFor = width;
    this.show(this.time, true);
  }
  refresh() {
    if (this.list.clientWidth !== this.madeFor) this.make();
  }
  show(time, withValues) {
    this.time = time;
    for (const plot of this.crossed) plot.showTime(time);
    for (const plot of this.open()) {
      plot.showTime(time);
      if (withValues) plot.showValues(time);
    }
  }
  /** \param range visible times [from, to] in s; null: all times */
  zoom(range) {
    this.range = range ?? this.full;
    for (const plot of this.open()) plot.plot?.setScale('x', {min: this.range[0], max: this.range[1]});
    for (const plot of this.crossed) plot.make(this.madeFor);
    this.show(this.time, true);
  }
}
