// Draws arrows of forces and arcs of torques. Their lengths are scaled automatically. They are visible through bodies.
// An arrow is dashed if its force is not unique because of redundant constraints, and it is a dot if its force is
// almost zero.
import * as THREE from 'three';
import {nothingBelow} from './rounding.js';
import {sizes} from './scene.js';
import {sceneColours} from './theme.js';

const kLongest = 0.42; // length of the 98th percentile of all magnitudes, in scene units (half the size of the scene)
const kCut = 1.6; // an arrow longer than this multiple of kLongest is cut and marked
const kDot = 0.004; // scene units: an arrow shorter than this is drawn as a dot
const kShaft = 0.0075,
  kHead = 0.024,
  kHeadLength = 0.075,
  kHalo = 0.006; // width of the rim around an arrow, which separates it from the things behind it
const kArcRadius = 0.13,
  kGreatestSweep = (300 * Math.PI) / 180;

const percentile = (sorted) => (sorted.length ? sorted[Math.floor(0.98 * (sorted.length - 1))] : 0);

/** Maps magnitudes to lengths: one scale for all forces (torques) of all motions. */
export class Scale {
  constructor(scene, items) {
    const all = [],
      usual = []; // magnitudes of all items, and the 98th percentile of the magnitudes of each item
    for (const motion of scene.motions) {
      for (const item of items.filter(({value}) => motion.has(value))) {
        const finite = [...sizes(motion, item.value)].filter(Number.isFinite);
        finite.sort((a, b) => a - b);
        usual.push(percentile(finite));
        for (const size of finite) all.push(size);
      }
    }
    all.sort((a, b) => a - b);
    this.largest = all.length ? all[all.length - 1] : 0;
    this.nothing = items.length > 0 ? nothingBelow(scene, items[0].unit, this.largest) : 0; // magnitudes below are 0
    this.typical = percentile(all) || this.largest;
    this.isLog = false;
    const some = usual.filter((size) => size > 1e-6 * this.largest); // smaller magnitudes are rounding errors
    this.spansDecades = some.length > 1 && Math.max(...some) / Math.min(...some) > 1e3;
    this.factor = 1;
  }
  /**
   * Length of an arrow in scene units. In logarithmic scale, a tenth of the magnitude shortens the arrow by a quarter
   * of kLongest.
   */
  length(size) {
    if (!(this.typical > 0) || !(size > 0)) return 0;
    const ratio = size / this.typical;
    const length = this.isLog ? Math.max(0, 1 + 0.25 * Math.log10(ratio)) : ratio;
    return kLongest * this.factor * length;
  }
  isCut(size) {
    return this.length(size) > kLongest * this.factor * kCut;
  }
  drawn(size) {
    return Math.min(this.length(size), kLongest * this.factor * kCut);
  }
}

/** A mesh that is opaque where it is visible, and paler where a body hides it. */
function pair(geometry, colour) {
  const group = new THREE.Group();
  const seen = new THREE.Mesh(
    geometry,
    // transparent, so that it is drawn after the rim, in the order of `renderOrder`
    new THREE.MeshLambertMaterial({color: colour, emissive: colour, emissiveIntensity: 0.45, transparent: true}),
  );
  const hidden = new THREE.Mesh(
    geometry,
    new THREE.MeshBasicMaterial({
      color: colour,
      transparent: true,
      opacity: 0.7,
      depthFunc: THREE.GreaterDepth,
      depthWrite: false,
    }),
  );
  seen.renderOrder = 20;
  hidden.renderOrder = 19;
  group.add(hidden, seen);
  return group;
}

/** The rim of an arrow, in the color of the background, drawn over bodies and before all arrows. */
function halo(geometry) {
  const mesh = new THREE.Mesh(
    geometry,
    new THREE.MeshBasicMaterial({
      color: sceneColours().halo,
      transparent: true,
      opacity: 0.75,
      depthTest: false,
      depthWrite: false,
    }),
  );
  mesh.renderOrder = 15;
  return mesh;
}

const kUp = new THREE.Vector3(0, 1, 0);
const plainShaft = () => new THREE.CylinderGeometry(kShaft, kShaft, 1, 16).translate(0, 0.5, 0);
function dashedShaft() {
  const dashes = 9,
    places = [],
    normals = [];
  for (let k = 0; k < dashes; ++k) {
    const dash = new THREE.CylinderGeometry(kShaft, kShaft, 0.58 / dashes, 16)
      .translate(0, (k + 0.5) / dashes, 0)
      .toNonIndexed();
    places.push(...dash.getAttribute('position').array);
    normals.push(...dash.getAttribute('normal').array);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  return geometry;
}

export class Arrow {
  constructor(colour) {
    this.group = new THREE.Group();
    this.plain = pair(plainShaft(), colour);
    this.dashed = pair(dashedShaft(), colour);
    this.head = pair(new THREE.ConeGeometry(kHead, kHeadLength, 24).translate(0, -kHeadLength / 2, 0), colour);
    this.dot = pair(new THREE.SphereGeometry(kShaft * 1.4, 16, 8), colour);
    this.rim = halo(new THREE.CylinderGeometry(kShaft + kHalo, kShaft + kHalo, 1, 16).translate(0, 0.5, 0));
    this.headRim = halo(
      new THREE.ConeGeometry(kHead + 1.6 * kHalo, kHeadLength + 4 * kHalo, 24).translate(
        0,
        1.6 * kHalo - kHeadLength / 2,
        0,
      ),
    );
    this.group.add(this.rim, this.headRim, this.plain, this.dashed, this.head, this.dot);
    this.length = 0;
    this.direction = new THREE.Vector3();
  }
  /** \param length length of the arrow, in scene units; \param direction unit vector */
  set(tail, direction, length, isUnique, thickness) {
    this.length = length;
    this.direction.copy(direction);
    this.group.position.copy(tail);
    const isDot = !(length > kDot);
    this.dot.visible = isDot;
    this.head.visible = !isDot;
    this.plain.visible = !isDot && isUnique;
    this.dashed.visible = !isDot && !isUnique;
    this.rim.visible = this.headRim.visible = !isDot;
    this.dot.scale.setScalar(thickness);
    if (isDot) return;
    this.group.quaternion.setFromUnitVectors(kUp, direction);
    const head = Math.min(1, length / (2.2 * kHeadLength)) * thickness;
    const shaft = Math.max(1e-6, length - 0.9 * head * kHeadLength);
    const wide = Math.min(1, length / (1.4 * kHeadLength)) * thickness;
    for (const part of [this.plain, this.dashed, this.rim]) part.scale.set(wide, shaft, wide);
    for (const part of [this.head, this.headRim]) {
      part.position.set(0, length, 0);
      part.scale.setScalar(head);
    }
  }
}

const kRound = 10; // sides of the tube of an arc
/** A torus whose triangles are ordered by steps of the sweep, so that the first part of the index is a shorter arc. */
function torusBySteps(tube, segments) {
  const torus = new THREE.TorusGeometry(kArcRadius, tube, kRound, segments, kGreatestSweep),
    index = [];
  for (let i = 0; i < segments; ++i) {
    for (let j = 0; j < kRound; ++j) {
      const a = j * (segments + 1) + i,
        b = (j + 1) * (segments + 1) + i;
      index.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
  torus.setIndex(index);
  return torus;
}

/** An arc about the axis of a torque; its sweep shows the magnitude. */
export class Arc {
  constructor(colour) {
    this.group = new THREE.Group();
    this.segments = 60;
    this.torus = torusBySteps(kShaft, this.segments);
    this.rim = torusBySteps(kShaft + kHalo, this.segments);
    this.body = pair(this.torus, colour);
    this.head = pair(new THREE.ConeGeometry(kHead, kHeadLength, 24), colour);
    this.group.add(halo(this.rim), this.body, this.head);
    this.sweep = 0;
    this.direction = new THREE.Vector3();
  }
  /** \param share the sweep as a fraction of the greatest sweep */
  set(centre, direction, share, isUnique) {
    this.sweep = Math.min(1, share) * kGreatestSweep;
    this.direction.copy(direction);
    this.group.visible = this.sweep > 0.02;
    if (!this.group.visible) return;
    this.group.position.copy(centre);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), direction);
    const steps = Math.max(1, Math.round((this.segments * this.sweep) / kGreatestSweep));
    for (const ring of [this.torus, this.rim]) ring.setDrawRange(0, steps * 6 * kRound);
    const end = (kGreatestSweep * steps) / this.segments;
    this.head.position.set(kArcRadius * Math.cos(end), kArcRadius * Math.sin(end), 0);
    this.head.rotation.set(0, 0, end);
    this.head.scale.setScalar(Math.min(1, this.sweep / 0.8));
    for (const part of this.body.children) part.material.wireframe = !isUnique;
  }
}
