// Creates shapes of the drawing: bodies from their inertia, links, springs, supports. Lengths are in scene units.
import * as THREE from 'three';

export const kAxes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

const kLeast = 0.02; // smallest drawn thickness of a body, in scene units

/** Colors the octants of the body's own axes alternately with two tones, so that rotation is visible. */
function twoTones(geometry, one, other) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const place = flat.getAttribute('position');
  const colours = new Float32Array(place.count * 3);
  const [a, b] = [new THREE.Color(one), new THREE.Color(other)];
  for (let i = 0; i < place.count; i += 3) {
    const middle = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, j) => sum + place.getComponent(i + j, k), 0));
    const sign = middle.reduce((product, x) => product * (x < 0 ? -1 : 1), 1);
    for (let j = 0; j < 3; ++j) (sign > 0 ? a : b).toArray(colours, 3 * (i + j));
  }
  flat.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return flat;
}

/** Creates the geometry of a body in the body's own axes. \param scale scene units per meter */
export function bodyGeometry(shape, scale, colours, thinnest = kLeast) {
  const least = (length) => Math.max(length * scale, thinnest);
  const turn = shape.turn
    ? new THREE.Quaternion(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0])
    : new THREE.Quaternion();
  let geometry;
  if (shape.kind === 'cylinder') {
    const radius = Math.max(shape.radius * scale, 0.6 * thinnest);
    geometry = new THREE.CylinderGeometry(radius, radius, least(shape.length), 64, 2).rotateX(Math.PI / 2);
  } else if (shape.kind === 'sphere') {
    geometry = new THREE.SphereGeometry(least(shape.radius), 48, 24).rotateX(Math.PI / 2);
  } else if (shape.kind === 'box') {
    geometry = new THREE.BoxGeometry(...shape.sides.map(least), 2, 2, 2);
  } else if (shape.kind === 'cone') {
    geometry = new THREE.ConeGeometry(least(shape.radius), least(shape.length), 64, 2).rotateX(Math.PI / 2);
  } else if (shape.kind === 'ring') {
    geometry = new THREE.TorusGeometry(least(shape.radius), Math.max(shape.tube * scale, 0.3 * thinnest), 16, 96);
  } else if (shape.kind === 'capsule') {
    geometry = new THREE.CapsuleGeometry(least(shape.radius), shape.length * scale, 12, 48, 2).rotateX(Math.PI / 2);
  } else if (shape.kind === 'mesh') {
    return meshGeometry(shape, scale, colours);
  } else if (shape.kind === 'plane') {
    geometry = new THREE.PlaneGeometry(...shape.sides.map(least), 2, 2);
  } else if (shape.kind === 'ellipsoid') {
    geometry = new THREE.SphereGeometry(1, 48, 24).rotateX(Math.PI / 2).scale(...shape.axes.map(least));
  } else {
    geometry = new THREE.SphereGeometry(1.2 * kLeast, 24, 12);
  }
  return twoTones(geometry, colours.body, colours.other).applyQuaternion(turn);
}

/** Creates the geometry of a mesh from a file, in one color, with flat triangles. */
function meshGeometry({places, corners}, scale, {body}) {
  const positions = new Float32Array(3 * corners.length),
    tones = new Float32Array(3 * corners.length),
    ink = new THREE.Color(body);
  corners.forEach((corner, i) => {
    for (let k = 0; k < 3; ++k) positions[3 * i + k] = places[k][corner] * scale;
    ink.toArray(tones, 3 * i);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(tones, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Returns the largest distance of a shape's points from its center, in meters. */
export function reach(shape) {
  if (shape.kind === 'mesh')
    return shape.places[0].reduce(
      (most, x, i) => Math.max(most, Math.hypot(x, shape.places[1][i], shape.places[2][i])),
      0,
    );
  if (shape.kind === 'capsule') return shape.radius + shape.length / 2;

  if (shape.kind === 'cylinder' || shape.kind === 'cone') return Math.hypot(shape.radius, shape.length / 2);
  if (shape.kind === 'ring') return shape.radius + shape.tube;
  if (shape.sides) return Math.hypot(...shape.sides) / 2;
  return shape.kind === 'sphere' ? shape.radius : shape.kind === 'ellipsoid' ? Math.max(...shape.axes) : 0;
}

/** Creates the mark of a pin: a ring perpendicular to `normal` in plane drawings, a ball in space. */
export function pin(dark, bright, normal, opacity, radius) {
  const material = (color) => new THREE.MeshBasicMaterial({color, transparent: opacity < 1, opacity});
  if (!normal)
    return new THREE.Mesh(
      new THREE.SphereGeometry(radius, 24, 16),
      new THREE.MeshLambertMaterial({color: dark, transparent: opacity < 1, opacity}),
    );
  const mark = new THREE.Group(),
    rim = new THREE.Mesh(new THREE.CircleGeometry(radius, 32), material(dark)),
    inside = new THREE.Mesh(new THREE.CircleGeometry(0.55 * radius, 32), material(bright));
  rim.position.z = 0.06; // in front of the links
  inside.position.z = 0.061;
  mark.add(rim, inside);
  mark.quaternion.setFromUnitVectors(kAxes[2], normal);
  return mark;
}

/** A rod between two points, perhaps with round ends; `set` moves it in every frame. */
export class Rod {
  constructor(radius, material, isRound = false) {
    this.mesh = new THREE.Group();
    this.bar = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 24).translate(0, 0.5, 0), material);
    this.mesh.add(this.bar);
    if (!isRound) return;
    const ball = new THREE.SphereGeometry(radius, 24, 16);
    this.tip = new THREE.Mesh(ball, material);
    this.mesh.add(new THREE.Mesh(ball, material), this.tip);
  }
  set(from, to) {
    const along = new THREE.Vector3().subVectors(to, from);
    const length = along.length();
    this.mesh.visible = length > 1e-9;
    this.mesh.position.copy(from);
    if (length > 1e-9) this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
    this.bar.scale.set(1, Math.max(length, 1e-9), 1);
    this.tip?.position.set(0, length, 0);
  }
}

const kTurns = 7;
/**
 * Returns the points of a coil between two ends, in the plane perpendicular to `view`: straight ends and a zigzag
 * between them.
 */
export function coil(from, to, view, width) {
  const along = new THREE.Vector3().subVectors(to, from);
  const side = new THREE.Vector3().crossVectors(along, view);
  if (side.lengthSq() < 1e-12) side.set(0, 0, 1);
  side.setLength(width);
  const places = [from.clone(), from.clone().addScaledVector(along, 0.15)];
  for (let k = 0; k < 2 * kTurns; ++k)
    places.push(
      from
        .clone()
        .addScaledVector(along, 0.15 + (0.7 * (k + 0.5)) / (2 * kTurns))
        .addScaledVector(side, k % 2 ? -1 : 1),
    );
  places.push(from.clone().addScaledVector(along, 0.85), to.clone());
  return places.flatMap((place) => place.toArray());
}
