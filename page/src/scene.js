// Reads `vinculum-scene/1` (docs/report.md) from the two data blocks of the page, and interpolates motions at any time.

import {shown} from './numbers.js';

/** All columns as Float64Array, decoded on first use. */
class Columns {
  constructor(list, base64) {
    this.list = list;
    const text = atob(base64.trim());
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) this.bytes[i] = text.charCodeAt(i);
    this.read = new Map();
  }
  get(index) {
    if (!this.read.has(index)) this.read.set(index, this.decode(this.list[index]));
    return this.read.get(index);
  }
  decode({k, n, b, o}) {
    const values = new Float64Array(n);
    const view = new DataView(this.bytes.buffer);
    if (k === 'const') return values.fill(b ?? NaN);
    for (let i = 0; i < n; ++i)
      values[i] = k === 'f64' ? view.getFloat64(o + 8 * i, true) : b + view.getFloat32(o + 4 * i, true);
    return values;
  }
}

/** Returns the value at a time of a quantity with steps: [[time, value from there on]]. */
export function stepAt(steps, time) {
  let low = 0,
    high = steps.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle][0] <= time) low = middle;
    else high = middle;
  }
  return steps[low][1];
}

/** Finds a time among samples: index i, and fraction f of the way to i + 1. Of equal times the last one counts. */
export function locate(t, time) {
  const last = t.length - 1;
  if (!(time > t[0])) return {i: 0, f: 0};
  if (time >= t[last]) return {i: last, f: 0};
  let low = 0,
    high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  return {i: low, f: (time - t[low]) / (t[high] - t[low])};
}

function slerp(a, b, f) {
  const cosine = Math.min(
    1,
    a.reduce((sum, x, k) => sum + x * b[k], 0),
  );
  const angle = Math.acos(cosine);
  const [p, q] =
    angle < 1e-4 ? [1 - f, f] : [Math.sin((1 - f) * angle) / Math.sin(angle), Math.sin(f * angle) / Math.sin(angle)];
  const mixed = a.map((x, k) => p * x + q * b[k]);
  const length = Math.hypot(...mixed);
  return mixed.map((x) => x / length);
}

class Motion {
  constructor(json, columns) {
    this.name = json.name;
    this.samples = json.samples;
    this.t = columns.get(json.t);
    this.events = json.events;
    this.acts = json.acts ?? [];
    this.clocks = json.clocks ?? [];
    this.impulses = json.impulses ?? [];
    this.tracks = new Map(Object.entries(json.tracks).map(([name, parts]) => [name, parts]));
    this.columns = columns;
    this.read = new Map(); // components of the tracks that have been read
    this.found = {time: NaN, i: 0, f: 0};
    this.series = json.series.map((one) => ({
      ...one,
      get values() {
        return columns.get(one.col);
      },
    }));
  }
  has(track) {
    return this.tracks.has(track);
  }
  /** Returns the components of a track over all samples; undefined if the motion does not have this track. */
  parts(track) {
    let found = this.read.get(track);
    if (!found && this.tracks.has(track)) {
      found = this.tracks.get(track).map((index) => this.columns.get(index));
      this.read.set(track, found);
    }
    return found;
  }
  /** Finds a time among the samples. All tracks of a frame are read at the same time, so the last answer is kept. */
  locate(time) {
    if (this.found.time !== time) this.found = {time, ...locate(this.t, time)};
    return this.found;
  }
  /** Returns a track at a time. Components are interpolated linearly, quaternions along the great circle. */
  at(track, time) {
    const parts = this.parts(track);
    if (!parts) return null;
    const {i, f} = this.locate(time);
    if (f > 0 && track.endsWith('.q'))
      return slerp(
        parts.map((values) => values[i]),
        parts.map((values) => values[i + 1]),
        f,
      );
    return parts.map((values) => (f === 0 ? values[i] : values[i] + f * (values[i + 1] - values[i])));
  }
  /**
   * Whether a constraint acts at a time. At an instant at which it begins or ceases to act, the answer is that before
   * the change, as in samples.
   */
  actsAt(constraint, time) {
    const own = this.acts.find((one) => one.constraint === constraint);
    return (
      !own || own.times.some(([from, to]) => time <= to && (time > from || (time === from && from === this.start)))
    );
  }
  /** Returns a force or torque: 0 while its constraint does not act. It is not interpolated across such a change. */
  forceAt({value, constraint}, time) {
    if (!this.acts.some((one) => one.constraint === constraint)) return this.at(value, time);
    const parts = this.parts(value);
    if (!parts) return null;
    if (!this.actsAt(constraint, time)) return parts.map(() => 0);
    const {i, f} = locate(this.t, time),
      isHere = this.actsAt(constraint, this.t[i]),
      isNext = f > 0 && this.actsAt(constraint, this.t[i + 1]);
    return f > 0 && isHere !== isNext ? parts.map((values) => values[isHere ? i : i + 1]) : this.at(value, time);
  }
  /**
   * Returns the steps of a value that is constant between events: [[time, value from there on]]. If the value differs
   * in two successive samples, it changes at the first instant of its clock between them or, without a clock, at the
   * first event. A sample at such an instant has the value before the change.
   */
  steps({name, values}) {
    const clock = this.clocks.find((one) => one.kind === 'state' && one.name === name);
    const times = clock
      ? []
      : this.events
          .filter(({kind}) => kind === 'event')
          .map(({t}) => t)
          .sort((a, b) => a - b);
    const clocks = clock ? [clock] : this.clocks.filter(({kind}) => kind === 'event');
    const near = 1e-12 * (this.end - this.start);
    const firstFrom = (from) => {
      const k = times.findIndex((t) => t >= from - near);
      return Math.min(
        k < 0 ? Infinity : times[k],
        ...clocks.map(({first, period}) => first + Math.max(0, Math.ceil((from - near - first) / period)) * period),
      );
    };
    const steps = [[this.t[0], values[0]]];
    for (let i = 1; i < this.t.length; ++i)
      if (values[i] !== values[i - 1] && !(Number.isNaN(values[i]) && Number.isNaN(values[i - 1])))
        steps.push([Math.min(this.t[i], Math.max(this.t[i - 1], firstFrom(this.t[i - 1]))), values[i]]);
    return steps;
  }
  /**
   * Returns for each component of a force whether it is unique. Redundant constraints leave other components
   * undetermined. A component that is zero counts as unique.
   */
  uniqueParts(track, time) {
    const flags = this.parts(`${track}.unique`);
    if (!flags) return [true, true, true];
    const value = this.at(track, time),
      size = Math.hypot(...value),
      {i} = this.locate(time);
    return flags.map((of, k) => of[i] > 0.5 || Math.abs(value[k]) <= 1e-9 * size);
  }
  isUnique(track, time) {
    return this.uniqueParts(track, time).every(Boolean);
  }
  /** Returns the components (0, 1, 2) of a force that are not unique at some sample. */
  sharedParts(track) {
    if (!this.parts(`${track}.unique`)) return [];
    this.shared ??= new Map();
    if (!this.shared.has(track)) {
      const found = new Set();
      for (const time of this.t) this.uniqueParts(track, time).forEach((is, k) => is || found.add(k));
      this.shared.set(track, [...found].sort());
    }
    return this.shared.get(track);
  }
  isEverShared(track) {
    return this.sharedParts(track).length > 0;
  }
  valueAt(values, time) {
    const {i, f} = this.locate(time);
    return f === 0 ? values[i] : values[i] + f * (values[i + 1] - values[i]);
  }
  get start() {
    return this.t[0];
  }
  get end() {
    return this.t[this.t.length - 1];
  }
}

export function readScene(json, base64) {
  const columns = new Columns(json.columns, base64);
  const motions = json.motions.map((one) => new Motion(one, columns));
  for (const {shape} of json.view?.shapes ?? []) {
    if (shape.kind !== 'mesh') continue;
    shape.places = shape.places.map((column) => columns.get(column));
    shape.corners = columns.get(shape.corners);
  }
  const events = motions.flatMap((motion) => motion.events.map((event) => ({...event, motion: motion.name})));
  return {
    ...json,
    motions,
    events,
    start: Math.min(...motions.map((m) => m.start)),
    end: Math.max(...motions.map((m) => m.end)),
  };
}

/** Computes the magnitude of a vector track at the samples of a motion. */
export function sizes(motion, track) {
  const [x, y, z] = motion.parts(track);
  return x.map((_, i) => Math.hypot(x[i], y[i], z[i]));
}

/** Groups the first `most` events by instant, as [time, events]. */
export function byInstant(events, most) {
  const instants = new Map();
  for (const event of events.slice(0, most)) instants.set(event.t, [...(instants.get(event.t) ?? []), event]);
  return [...instants];
}

/** Returns the text for an event. */
export function sentence({kind, where, before, after}) {
  if (kind === 'rank') return `rank falls from ${before} to ${after}`;
  if (kind === 'friction') return `${where} ${after}`;
  if (kind === 'stop') return `the motion ends: ${after}${where ? ` (${where})` : ''}`;
  if (kind === 'constraint') return `${where} ${after === 'acts' ? 'begins' : 'ceases'} to act`;
  if (kind === 'impulse') return `impulse of ${where}: ${shown(after)}`;
  if (kind === 'friction impulse') return `impulse of friction of ${where}: ${shown(after)}`;
  if (kind === 'impact') return `impact of ${where} (${before}): work ${shown(after)}`;
  if (kind === 'impact work') return `${before} of ${where}: work ${shown(after)}`;
  return [kind, where, after].filter(Boolean).join(' ');
}
