// Plots of one quantity against another. A dot marks the current time; a click sets the time of the nearest sample.
import uPlot from 'uplot';
import {h} from './dom.js';
import {bracketed, shown} from './numbers.js';
import {seriesColour} from './theme.js';

const kHeight = 240;
const kNear = 30; // pixels between a click and the curve

/** Draws the curve in the order of time. uPlot's own paths need values of x that increase. */
function drawCurve(u, seriesIndex) {
  uPlot.orient(u, seriesIndex, (series, dataX, dataY, scaleX, scaleY, toX, toY, left, top, wide, tall) => {
    const [xs, ys] = u.data[seriesIndex],
      {ctx} = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, wide, tall);
    ctx.clip();
    ctx.beginPath();
    let isOn = false;
    for (let i = 0; i < xs.length; ++i) {
      const isThere = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
      if (isThere) ctx[isOn ? 'lineTo' : 'moveTo'](toX(xs[i], scaleX, wide, left), toY(ys[i], scaleY, tall, top));
      isOn = isThere;
    }
    ctx.strokeStyle = series.stroke(u, seriesIndex);
    ctx.lineWidth = 1.6 * uPlot.pxRatio;
    ctx.setLineDash((series.dash ?? []).map((length) => length * uPlot.pxRatio));
    ctx.stroke();
    ctx.restore();
  });
  return null;
}

/** Pads a range, so that a curve does not touch the frame. */
function padded(u, low, high) {
  if (low === null || !Number.isFinite(low)) return [0, 1];
  const pad = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}

export class XyPlot {
  /**
   * \param owner       has `time`, `range` (visible times in s) and `choose(time)`
   * \param quantities  [{name, unit, curves: [{motion, values, dash}]}], one curve per motion
   * \param close       function that removes the plot
   */
  constructor(owner, quantities, close) {
    Object.assign(this, {owner, quantities});
    const choice = (label, chosen) =>
      h(
        'select',
        {'aria-label': label, 'onchange': () => this.make(this.width)},
        quantities.map(({name, unit}, k) =>
          h('option', {value: k, selected: k === chosen}, `${name} ${bracketed(unit)}`.trim()),
        ),
      );
    this.x = choice('x axis', 0);
    this.y = choice('y axis', Math.min(1, quantities.length - 1));
    this.values = h('span', {class: 'value'});
    this.holder = h('div', {class: 'plot'});
    this.now = h('div', {class: 'spot'});
    this.element = h(
      'section',
      {'class': 'xy', 'aria-label': 'x–y plot'},
      h(
        'div',
        {class: 'legend'},
        h('label', {}, 'across ', this.x),
        h('label', {}, 'up ', this.y),
        this.values,
        h(
          'button',
          {'class': 'link', 'type': 'button', 'onclick': close, 'aria-label': 'remove the x–y plot'},
          'remove',
        ),
      ),
      this.holder,
    );
  }
  /** The chosen quantities: {x, y, curves: [{motion, xs, ys, dash}]}. */
  chosen() {
    const [x, y] = [this.x, this.y].map((choice) => this.quantities[Number(choice.value)]);
    const curves = x.curves
      .map((one) => ({one, other: y.curves.find(({motion}) => motion === one.motion)}))
      .filter(({other}) => other)
      .map(({one, other}) => ({motion: one.motion, dash: one.dash, xs: one.values, ys: other.values}));
    return {x, y, curves};
  }
  /** The chosen curves within the visible times. */
  inRange() {
    const [from, to] = this.owner.range,
      {x, y, curves} = this.chosen();
    return {
      x,
      y,
      curves: curves.map(({motion, dash, xs, ys}) => {
        const kept = [...motion.t.keys()].filter((i) => motion.t[i] >= from && motion.t[i] <= to);
        return {motion, dash, t: kept.map((i) => motion.t[i]), xs: kept.map((i) => xs[i]), ys: kept.map((i) => ys[i])};
      }),
    };
  }
  make(width) {
    this.width = width;
    this.plot?.destroy();
    const {owner} = this,
      {x, y, curves} = (this.shown = this.inRange()),
      style = getComputedStyle(document.documentElement);
    const axis = (quantity, size) => ({
      stroke: style.getPropertyValue('--dim'),
      grid: {stroke: style.getPropertyValue('--line'), width: 1},
      ticks: {show: false},
      font: '11px system-ui, sans-serif',
      labelFont: '12px system-ui, sans-serif',
      label: `${quantity.name} ${bracketed(quantity.unit)}`.trim(),
      labelSize: 18,
      size,
      values: (u, ticks) => ticks.map((v) => (v === 0 ? '0' : shown(v, 3).replace(/\.0+$/, ''))),
    });
    this.plot = new uPlot(
      {
        mode: 2,
        width,
        height: kHeight,
        legend: {show: false},
        cursor: {points: {show: false}, drag: {x: false, y: false}},
        padding: [8, 12, 0, 0],
        scales: {x: {time: false, range: padded}, y: {range: padded}},
        hooks: {draw: [() => this.showTime(owner.time)]},
        axes: [axis(x, 26), axis(y, 56)],
        series: [
          null,
          ...curves.map(({dash}, k) => ({
            facets: [
              {scale: 'x', auto: true},
              {scale: 'y', auto: true},
            ],
            stroke: seriesColour(k),
            dash,
            paths: drawCurve,
          })),
        ],
      },
      [null, ...curves.map(({xs, ys}) => [xs, ys])],
      this.holder,
    );
    this.plot.over.append(this.now);
    this.plot.ctx.canvas.setAttribute('role', 'img');
    this.plot.ctx.canvas.setAttribute('aria-label', `plot: ${y.name} over ${x.name}`);
    this.plot.over.addEventListener('click', (event) => this.clicked(event));
  }
  clicked({offsetX, offsetY}) {
    let least = kNear,
      time = null;
    for (const {t, xs, ys} of this.shown.curves) {
      xs.forEach((x, i) => {
        const away = Math.hypot(this.plot.valToPos(x, 'x') - offsetX, this.plot.valToPos(ys[i], 'y') - offsetY);
        if (away < least) [least, time] = [away, t[i]];
      });
    }
    if (time !== null) this.owner.choose(time);
  }
  showTime(time) {
    if (!this.plot?.bbox) return;
    const {curves} = this.chosen(),
      [first] = curves;
    const [x, y] = first ? [first.xs, first.ys].map((values) => first.motion.valueAt(values, time)) : [NaN, NaN];
    const isThere = Number.isFinite(x) && Number.isFinite(y);
    this.now.hidden = !isThere;
    this.values.textContent = isThere ? `${shown(x)}, ${shown(y)}` : '';
    if (isThere)
      this.now.style.transform = `translate(${this.plot.valToPos(x, 'x')}px, ${this.plot.valToPos(y, 'y')}px)`;
  }
}
