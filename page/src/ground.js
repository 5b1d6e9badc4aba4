// Draws the ground: a reference grid, and shadows of bodies projected onto it.
import * as THREE from 'three';
import {kAxes} from './shapes.js';
import {isDark} from './theme.js';

const kStep = 0.5; // scene units between two grid lines

/**
 * Creates a grid with squares of half a scene unit. For a plane motion it looks like squared paper behind the drawing;
 * in space it is a floor that fades out.
 */
export function groundGrid({up, normal, isPlane, floor, centre, half}, colour) {
  const side = new THREE.Vector3().crossVectors(up, Math.abs(up.x) < 0.9 ? kAxes[0] : kAxes[1]).normalize();
  const other = new THREE.Vector3().crossVectors(side, up);
  const [one, two] = isPlane ? [up, new THREE.Vector3().crossVectors(up, normal)] : [side, other];
  const origin = isPlane ? normal.clone().multiplyScalar(-1.5) : up.clone().multiplyScalar(floor);
  const reachOut = isPlane ? 24 : 12,
    step = kStep,
    places = [],
    tones = [];
  const ink = new THREE.Color(colour);
  const pale = (r) => (isPlane ? (isDark() ? 0.35 : 0.4) : Math.max(0, 1 - r / 5) ** 2 * 0.65);
  const shift = new THREE.Vector3(...centre.map((x) => -x / half));
  const [o1, o2] = [one, two].map((axis) => ((shift.dot(axis) % step) + step) % step);
  for (let k = -reachOut; k <= reachOut; k += step) {
    for (const [a, b, oa, ob] of [
      [one, two, o1, o2],
      [two, one, o2, o1],
    ]) {
      for (let j = -reachOut; j < reachOut; j += step) {
        for (const end of [j, j + step]) {
          places.push(
            ...origin
              .clone()
              .addScaledVector(a, k + oa)
              .addScaledVector(b, end + ob)
              .toArray(),
          );
          tones.push(ink.r, ink.g, ink.b, pale(Math.hypot(k, end)));
        }
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(tones, 4));
  const grid = new THREE.LineSegments(
    geometry,
    new THREE.LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false}),
  );
  grid.renderOrder = -10;
  grid.userData.axes = [one, two];
  return grid;
}

/** Moves the grid by whole squares, so that its middle is displaced by about `away` from its initial position. */
export function moveGrid(grid, away) {
  grid.position.set(0, 0, 0);
  for (const axis of grid.userData.axes)
    grid.position.addScaledVector(axis, kStep * Math.round(away.dot(axis) / kStep));
}

/** Creates a second mesh of the same shape, to be projected onto the ground. */
export function shadowOf(mesh, colour) {
  const shadow = new THREE.Mesh(
    mesh.geometry,
    new THREE.MeshBasicMaterial({
      color: colour,
      transparent: true,
      opacity: 0.28,
      depthWrite: false,
      side: THREE.FrontSide,
    }),
  );
  shadow.matrixAutoUpdate = false;
  shadow.renderOrder = -5;
  return shadow;
}

/** Projects the shadow along the upward direction, to just above the floor. */
export function pressShadow(shadow, mesh, up, floor) {
  const {x, y, z} = up,
    d = floor + 0.001;
  const press = new THREE.Matrix4().set(
    1 - x * x,
    -x * y,
    -x * z,
    d * x,
    -x * y,
    1 - y * y,
    -y * z,
    d * y,
    -x * z,
    -y * z,
    1 - z * z,
    d * z,
    0,
    0,
    0,
    1,
  );
  shadow.matrix.multiplyMatrices(press, mesh.matrix);
}

/**
 * Draws the ground under a point that is fixed in the newtonian frame: a triangle on a line in plane drawings, a cone
 * in space.
 * \param isAbove  whether the ground is above the point, because bodies hang from it
 */
export function support(view, group, place, colours, isAbove) {
  const up = isAbove ? view.up.clone().negate() : view.up;
  if (!view.isPlane) {
    const cone = new THREE.Mesh(
      new THREE.ConeGeometry(0.05, 0.09, 32).translate(0, -0.045, 0),
      new THREE.MeshLambertMaterial({color: colours.rod}),
    );
    cone.quaternion.setFromUnitVectors(kAxes[1], up);
    cone.position.copy(place);
    group.add(cone);
    return;
  }
  const side = new THREE.Vector3().crossVectors(view.up, view.normal);
  const at = (x, y) => place.clone().addScaledVector(side, x).addScaledVector(up, y);
  const geometry = new THREE.BufferGeometry().setFromPoints([at(0, 0), at(-0.045, -0.075), at(0.045, -0.075)]);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({color: colours.rod, side: THREE.DoubleSide}));
  const base = view.line(colours.dot, 2);
  base.geometry.setPositions([...at(-0.075, -0.075).toArray(), ...at(0.075, -0.075).toArray()]);
  group.add(mesh, base);
}
