// Draws the impulses of impacts: at the instant of an impact, and for a short time after it, an arrow at the place of
// the impact. Arrows of impulses are thicker than those of forces and have a scale of their own.
import * as THREE from 'three';
import {Arc, Arrow, Scale} from './arrows.js';
import {constraintColour} from './theme.js';

const kShown = 0.03; // part of the length of the motion for which an impulse is drawn
const kMost = 12; // most arrows at one time
const kThick = 1.7; // thickness relative to the arrow of a force

/** Returns the impulses drawn at a time: those of the last instants, at most `kMost` of each kind, the last ones. */
export function impulsesAt(impulses, time, length) {
  const near = 1e-9 * length;
  const recent = impulses.filter(({t}) => time >= t - near && time <= t + kShown * length);
  return [false, true].flatMap((moment) => recent.filter((one) => one.moment === moment).slice(-kMost));
}

function scaleOf(impulses) {
  const scale = new Scale({motions: []}, []);
  scale.largest = scale.typical = Math.max(0, ...impulses.map(({value}) => Math.hypot(...value)));
  return scale;
}

/** The arrows of the impulses of one motion. */
export class Impulses {
  /** \param place maps a position [m] to scene units */
  constructor(scene, motion, group, place) {
    this.all = motion.impulses;
    this.scene = scene;
    this.place = place;
    this.length = Math.max(scene.end - scene.start, 1e-300);
    this.forces = scaleOf(this.all.filter(({moment}) => !moment));
    this.moments = scaleOf(this.all.filter(({moment}) => moment));
    this.group = group;
    this.drawn = []; // {item, drawn, size}: what is shown now
    this.ready = new Map(); // drawings that are made already, by impulse
  }
  make(item) {
    if (!this.ready.has(item)) {
      const colour = constraintColour(this.scene, item.constraint);
      const drawn = item.moment ? new Arc(colour) : new Arrow(colour);
      this.group.add(drawn.group);
      this.ready.set(item, drawn);
    }
    return this.ready.get(item);
  }
  /** \param isOn false: no impulse is drawn; \param hidden names of constraints that are switched off */
  show(time, isOn, hidden, factor) {
    for (const {drawn} of this.drawn) drawn.group.visible = false;
    this.drawn = [];
    if (!isOn) return;
    this.forces.factor = factor;
    for (const item of impulsesAt(this.all, time, this.length)) {
      if (hidden.has(item.constraint)) continue;
      const size = Math.hypot(...item.value),
        drawn = this.make(item),
        direction = new THREE.Vector3(...item.value).divideScalar(size);
      drawn.group.visible = true;
      if (item.moment) drawn.set(this.place(item.at), direction, size / this.moments.largest, item.unique);
      else drawn.set(this.place(item.at), direction, this.forces.drawn(size), item.unique, kThick);
      this.drawn.push({item, drawn, size});
    }
  }
}
