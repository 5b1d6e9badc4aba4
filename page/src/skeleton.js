// Draws a body as its skeleton: links between its mass center, the pins of its joints and its named points. If these
// points span an area or a volume, a plate or a hull is added. Only a body without points is drawn as the solid with
// the same mass and inertia.
import * as THREE from 'three';
import {ConvexGeometry} from 'three/addons/geometries/ConvexGeometry.js';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import {kAxes} from './shapes.js';

const kRadius = 0.022; // radius of a link, in scene units, …
const kShare = 0.12; // … but at most this fraction of the body's size, …
const kThinnest = 0.006; // … and at least this radius
const kFlat = 0.04; // points whose extent is below this fraction of the size are on one line, or in one plane
const kSlender = 6; // if a cylinder is longer than this many radii, it is a rod, and is drawn to its ends

/** Whether a body is a rod, which is drawn to its ends. */
export const isSlender = ({kind, length, radius}) => kind === 'cylinder' && length > kSlender * radius;

/**
 * Returns the points of a body in the body's own axes, relative to its mass center, in meters. Each position occurs
 * once; the center itself is left out.
 */
export function pointsOf(body, motion) {
  const centre = new THREE.Vector3(...motion.at(`${body.name}.p`, motion.start)),
    [w, x, y, z] = motion.at(`${body.name}.q`, motion.start);
  const back = new THREE.Quaternion(x, y, z, w).invert();
  const all = body.points
    .filter((name) => motion.has(`${name}.p`))
    .map((name) => new THREE.Vector3(...motion.at(`${name}.p`, motion.start)).sub(centre).applyQuaternion(back));
  const {shape} = body;
  if (all.length > 0 && isSlender(shape)) {
    const [tw, tx, ty, tz] = shape.turn,
      end = new THREE.Vector3(0, 0, shape.length / 2).applyQuaternion(new THREE.Quaternion(tx, ty, tz, tw));
    if (all.every((point) => point.clone().cross(end).length() < 0.01 * end.lengthSq()))
      all.push(end, end.clone().negate());
  }
  const size = Math.max(0, ...all.map((point) => point.length())),
    kept = [];
  for (const point of all)
    if (point.length() > 1e-5 * size && kept.every((other) => other.distanceTo(point) > 1e-5 * size)) kept.push(point);
  return size > 0 ? kept : [];
}

function capsule(from, to, radius, sides = 20) {
  const along = new THREE.Vector3().subVectors(to, from),
    length = along.length();
  const geometry = new THREE.CapsuleGeometry(radius, length, 8, sides);
  if (length > 0)
    geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(kAxes[1], along.divideScalar(length)));
  return geometry.translate(...from.clone().add(to).multiplyScalar(0.5).toArray()).toNonIndexed();
}

const coloured = (geometry, colour) => {
  const count = geometry.getAttribute('position').count,
    values = new Float32Array(3 * count),
    ink = new THREE.Color(colour);
  for (let i = 0; i < count; ++i) ink.toArray(values, 3 * i);
  geometry.setAttribute('color', new THREE.BufferAttribute(values, 3));
  geometry.deleteAttribute('uv');
  return geometry;
};

/** Creates the mark of a mass center: a ball with dark and bright octants in turns, so that rotation is visible. */
function centreSign(radius, inks) {
  const ball = coloured(new THREE.SphereGeometry(radius, 24, 16).rotateX(Math.PI / 2).toNonIndexed(), inks.dark);
  const place = ball.getAttribute('position'),
    colour = ball.getAttribute('color'),
    bright = new THREE.Color(inks.bright);
  for (let i = 0; i < place.count; i += 3) {
    const sign = [0, 1, 2].reduce(
      (product, k) =>
        product * (place.getComponent(i, k) + place.getComponent(i + 1, k) + place.getComponent(i + 2, k) < 0 ? -1 : 1),
      1,
    );
    if (sign > 0) for (let j = 0; j < 3; ++j) colour.setXYZ(i + j, bright.r, bright.g, bright.b);
  }
  return ball;
}

/** Returns the corners of the convex hull of points in the plane of `u` and `v`, in order (monotone chain). */
function outline(points, u, v) {
  const all = points.map((point) => ({point, x: point.dot(u), y: point.dot(v)})).sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list) => {
    const chain = [];
    for (const one of list) {
      for (;;) {
        const [a, b] = chain.slice(-2);
        if (!b || (b.x - a.x) * (one.y - a.y) - (b.y - a.y) * (one.x - a.x) > 1e-12) break;
        chain.pop();
      }
      chain.push(one);
    }
    return chain.slice(0, -1);
  };
  return half(all)
    .concat(half(all.reverse()))
    .map(({point}) => point);
}

/** Returns the directions in which points spread, the widest first, and the extent of the points in each direction. */
function spread(points) {
  const far = points.reduce(
    (best, a) => points.reduce((one, b) => (a.distanceTo(b) > one.length() ? b.clone().sub(a) : one), best),
    new THREE.Vector3(),
  );
  const size = far.length(),
    u = far.clone().normalize(),
    from = points[0];
  const across = (axes) =>
    points
      .map((point) => axes.reduce((rest, axis) => rest.addScaledVector(axis, -rest.dot(axis)), point.clone().sub(from)))
      .reduce((best, one) => (one.length() > best.length() ? one : best), new THREE.Vector3());
  const second = across([u]),
    width = second.length();
  if (width < kFlat * size) return {size, count: 1, u};
  const v = second.normalize(),
    third = across([u, v]);
  return {size, count: third.length() < kFlat * size ? 2 : 3, u, v};
}

const radiusFor = (size) => Math.max(kThinnest, Math.min(kRadius, kShare * size));
/** Returns the radius of a body's links, in scene units. */
export function linkRadius(points, scale) {
  return radiusFor(spread([new THREE.Vector3(), ...points]).size * scale);
}

/**
 * Creates the geometry of a skeleton in the body's own axes, in scene units.
 * \param points from `pointsOf`, at least one; \param scale scene units per meter; \param inks {body, other, dark,
 * bright}
 */
export function skeletonGeometry(points, scale, inks) {
  const centre = new THREE.Vector3(),
    places = points.map((point) => point.clone().multiplyScalar(scale)),
    all = [centre, ...places];
  const {size, count, u, v} = spread(all);
  const radius = radiusFor(size),
    parts = [];
  const link = (from, to) => parts.push(coloured(capsule(from, to, radius), inks.body));
  if (count === 1) {
    const along = [...all].sort((a, b) => a.dot(u) - b.dot(u));
    link(along[0], along.at(-1));
  } else if (count === 2) {
    const corners = outline(all, u, v),
      w = u
        .clone()
        .cross(v)
        .multiplyScalar(0.4 * radius);
    corners.forEach((corner, k) => link(corner, corners[(k + 1) % corners.length]));
    const plate = corners.flatMap((corner) => [corner.clone().add(w), corner.clone().sub(w)]);
    parts.push(coloured(new ConvexGeometry(plate), inks.other));
  } else {
    const hull = new ConvexGeometry(all),
      ends = new THREE.EdgesGeometry(hull).getAttribute('position');
    for (let i = 0; i < ends.count; i += 2)
      parts.push(
        coloured(
          capsule(
            new THREE.Vector3().fromBufferAttribute(ends, i),
            new THREE.Vector3().fromBufferAttribute(ends, i + 1),
            0.6 * radius,
            10,
          ),
          inks.body,
        ),
      );
    parts.push(coloured(hull, inks.other));
  }
  parts.push(centreSign(1.5 * radius, inks));
  return mergeGeometries(parts);
}
