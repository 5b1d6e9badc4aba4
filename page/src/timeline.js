// Shows what happens along the time of a motion: intervals in which constraints act, periodic instants, events.
import {h, svg} from './dom.js';
import {shown} from './numbers.js';
import {byInstant, sentence} from './scene.js';
import {constraintColour} from './theme.js';

const kMostEvents = 200; // largest number of marks over the slider
const kMostLanes = 6; // largest number of constraints, and of clocks, under the slider
const kMostSpans = 40; // largest number of intervals drawn for one constraint
export const kTickGap = 4; // least distance of ticks, in pixels; if they are closer, some are left out

/** Joins intervals with gaps below `gap`, for drawing: [[from, to, number of intervals joined]]. */
export function joined(times, gap) {
  const drawn = [];
  for (const [from, to] of times) {
    const last = drawn.at(-1);
    if (last && from - last[1] < gap) {
      last[1] = to;
      ++last[2];
    } else drawn.push([from, to, 1]);
  }
  return drawn;
}

/** Returns k if every k-th tick is to be drawn, for ticks that are `space` pixels apart: 1, 2, 5, 10, 20, … */
export function stride(space, least = kTickGap) {
  for (let power = 1; ; power *= 10)
    for (const k of [1, 2, 5]) if (k * power * space >= least || k * power > 1e12) return k * power;
}

/** Returns the instants of a clock between two times, but only every `every`-th one. */
export function instantsOf({first, period, count}, from, to, every) {
  const all = [];
  const begin = Math.max(0, Math.ceil((from - first) / period / every - 1e-9) * every);
  for (let k = begin; k < count && first + k * period <= to + 1e-9 * period; k += every) all.push(first + k * period);
  return all;
}

export const textOfClock = ({name, kind, period, count}) =>
  `${kind === 'state' ? 'sample of ' : ''}${name} every ${shown(period)} s, ${count} ${count === 1 ? 'time' : 'times'}`;

const textOfSpan = (name, [from, to, count]) =>
  count > 1
    ? `${name} acts ${count} times from ${shown(from)} s to ${shown(to)} s`
    : to > from
      ? `${name} acts from ${shown(from)} s to ${shown(to)} s`
      : `${name} acts for an instant at ${shown(from)} s`;

/** Returns the constraints with `when` of the first motion: [{name, times, isSteady: it acts always or never}]. */
export function actingTimes(scene) {
  const [motion] = scene.motions;
  return motion.acts.map(({constraint: name, times}) => ({
    name,
    times,
    isSteady: times.length === 0 || (times.length === 1 && times[0][0] <= motion.start && times[0][1] >= motion.end),
  }));
}

/** Returns texts for the acting constraints and events at a time, or at most `near` seconds from it. */
export function namesAt(scene, time, near) {
  const acting = actingTimes(scene).flatMap(({name, times}) =>
    times
      .filter(([from, to]) => time >= from - near && time <= to + near)
      .slice(0, 1)
      .map((span) => textOfSpan(name, [...span, 1])),
  );
  const events = scene.events
    .filter(({t}) => Math.abs(t - time) <= near)
    .slice(0, 8)
    .map((event) => `${shown(event.t)} s: ${sentence(event)}`);
  return [...acting, ...events];
}

/** Draws marks over the slider, and one lane per constraint or clock under it. */
export class Timeline {
  constructor(scene) {
    this.scene = scene;
    const length = Math.max(scene.end - scene.start, 1e-300),
      place = (t) => (100 * (t - scene.start)) / length;
    // one mark for all events of an instant, because otherwise the last mark would hide the others
    this.marks = h(
      'div',
      {'class': 'marks', 'aria-hidden': 'true'},
      byInstant(scene.events, kMostEvents).map(([t, events]) =>
        h('i', {title: `${shown(t)} s: ${events.map(sentence).join('; ')}`, style: `left:${place(t)}%`}),
      ),
    );
    this.spans = [];
    const acting = actingTimes(scene)
      .filter(({isSteady}) => !isSteady)
      .slice(0, kMostLanes)
      .map(({name, times}) => this.lane(name, times, length, place));
    this.clocks = scene.motions[0].clocks.slice(0, kMostLanes).map((clock) => ({clock, path: svg('path')}));
    this.lanes = h(
      'div',
      {'class': 'lanes', 'aria-hidden': 'true'},
      acting,
      this.clocks.map(({clock, path}) =>
        h('div', {class: 'lane ticks', title: textOfClock(clock)}, svg('svg', {width: '100%', height: '100%'}, path)),
      ),
    );
    this.repaint();
    new ResizeObserver(() => this.fit()).observe(this.lanes);
  }
  lane(name, times, length, place) {
    let drawn = joined(times, length / 400);
    for (let gap = length / 200; drawn.length > kMostSpans; gap *= 2) drawn = joined(times, gap);
    return h(
      'div',
      {class: 'lane'},
      drawn.map((span) => {
        const element = h('i', {
          title: textOfSpan(name, span),
          style: `left:${place(span[0])}%;width:${place(span[1]) - place(span[0])}%`,
        });
        this.spans.push({name, element});
        return element;
      }),
    );
  }
  repaint() {
    for (const {name, element} of this.spans) element.style.setProperty('--c', constraintColour(this.scene, name));
  }
  /** Draws as many ticks as the width can show. */
  fit() {
    const {scene} = this,
      width = this.lanes.clientWidth,
      perSecond = width / Math.max(scene.end - scene.start, 1e-300);
    for (const {clock, path} of this.clocks) {
      const places = instantsOf(clock, scene.start, scene.end, stride(clock.period * perSecond));
      path.setAttribute('d', places.map((t) => `M${((t - scene.start) * perSecond).toFixed(2)} 0V6`).join(''));
    }
  }
}
