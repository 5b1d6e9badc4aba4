// Draws what the `view` of the model states: shapes, links, axes, paths, arrows, colors, hidden elements.
import * as THREE from 'three';
import {Arrow, Scale} from './arrows.js';
import {plainUnit, shown} from './numbers.js';
import {bodyGeometry, reach} from './shapes.js';
import {isSlender, pointsOf} from './skeleton.js';
import {bodyTones} from './theme.js';

const kNone = {
  shapes: [],
  links: [],
  axes: [],
  traces: [],
  reactions: [],
  vectors: [],
  colours: {},
  hidden: [],
  without: [],
  labels: [],
  followed: null,
};
const kRodRadius = 0.016; // radius of a rod without a stated radius, in scene units
const kThinnest = 0.004; // smallest thickness, in scene units
const kOfAxes = ['#d1495b', '#4f9d69', '#4178be'];
const kAxesLength = 0.22; // length of axes in scene units, if the model states none

const darker = (colour) => `#${new THREE.Color(colour).multiplyScalar(0.62).getHexString()}`;

export class Stated {
  constructor(scene) {
    this.scene = scene;
    this.view = scene.view ?? kNone;
    this.shaped = new Set(this.solids().map(({on}) => on));
    const [motion] = scene.motions;
    this.points = new Map(
      scene.bodies.filter(({name}) => motion.has(`${name}.q`)).map((body) => [body.name, pointsOf(body, motion)]),
    );
    this.scales = new Map();
    for (const {unit} of this.view.vectors)
      this.scales.set(
        unit,
        new Scale(
          scene,
          this.view.vectors.filter((one) => one.unit === unit),
        ),
      );
  }

  /** Whether a kind of default element is drawn. Paths stated in the view replace the default paths. */
  has(what) {
    return !this.view.without.includes(what) && !(what === 'traces' && this.view.traces.length > 0);
  }
  /** Whether the view replaces or hides the default drawing of this element. */
  replaces(name) {
    return this.shaped.has(name) || this.view.hidden.includes(name);
  }
  colour(name) {
    return this.view.colours[name];
  }
  tones(name, colours, stated = this.colour(name)) {
    if (stated) return {body: stated, other: darker(stated)};
    const place = this.scene.bodies.findIndex((body) => body.name === name);
    return place < 0 ? colours : bodyTones(place);
  }
  /** Returns the points of a body's skeleton; empty if the body is drawn as the solid with its inertia. */
  skeleton(name) {
    return this.points.get(name) ?? [];
  }
  /** Whether the view states a rod or a coil between these two points. */
  links(pair) {
    return this.view.links.some(({from, to}) => pair.includes(from) && pair.includes(to));
  }

  solids() {
    return this.view.shapes.filter(({surface}) => !surface);
  }
  /**
   * Returns the radius in meters of a ball around the mass center that, together with the points of the model, contains
   * the body's default drawing: 0 for a skeleton between such points. Stated shapes are not included.
   */
  ball(body) {
    if (this.replaces(body.name)) return 0;
    return this.skeleton(body.name).length > 0 && !isSlender(body.shape) ? 0 : this.reach(body);
  }
  /** Returns the largest distance of a body's drawing from its mass center, in meters. */
  reach(body) {
    const own = this.view.shapes.filter(({on}) => on === body.name),
      points = this.skeleton(body.name);
    const itself = this.replaces(body.name)
      ? 0
      : points.length > 0
        ? Math.max(...points.map((point) => point.length()))
        : reach(body.shape);
    const [motion] = this.scene.motions,
      centre = motion.at(`${body.name}.p`, motion.start);
    return Math.max(
      itself,
      ...own.map(
        ({at, shape}) => Math.hypot(...motion.at(at, motion.start).map((x, k) => x - centre[k])) + reach(shape),
      ),
    );
  }

  /**
   * Returns the constraints whose arrows are initially off: the hidden constraints and, if the view states arrows, all
   * constraints for which it states none.
   */
  constraintsOff() {
    const {reactions, hidden} = this.view,
      named = new Set(reactions.map(({constraint}) => constraint));
    return new Set(
      this.scene.constraints
        .map(({name}) => name)
        .filter((name) => hidden.includes(name) || (reactions.length > 0 && !named.has(name))),
    );
  }
  /** Selects the items that get an arrow. If the view states arrows of a constraint, these are the only ones. */
  chosen(items, isTorque) {
    const {reactions} = this.view;
    return items.filter(({constraint, on}) => {
      const its = reactions.filter((one) => one.constraint === constraint);
      return its.length === 0 || its.some((one) => one.on === on && one.torque === isTorque);
    });
  }

  /** Whether the view states this arrow: the same vector at the same point. */
  hasArrow(motion, {at, value}) {
    return this.view.vectors.some(
      (one) =>
        one.at === at &&
        motion.has(one.value) &&
        [0, 1, 2].every((k) => {
          const [these, those] = [value, one.value].map((track) => motion.parts(track)[k]),
            size = these.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
          return these.every((x, i) => !(Math.abs(x - those[i]) > 1e-5 * size));
        }),
    );
  }

  build(view, motion, group, parts, colours, opacity, k) {
    for (const item of this.view.shapes.filter(({at}) => motion.has(at)))
      this.buildShape(view, item, group, parts, colours, opacity, k);
    for (const {from, to, coil, capsule, radius, colour} of this.view.links) {
      if (!motion.has(`${from}.p`) || !motion.has(`${to}.p`)) continue;
      if (coil) {
        const line = view.line(colour ?? colours.trace, 2);
        group.add(line);
        parts.coils.push({line, ends: [from, to], width: radius ? radius / view.half : undefined});
      } else {
        const material = new THREE.MeshLambertMaterial({
          color: colour ?? colours.rod,
          transparent: opacity < 1,
          opacity,
        });
        const thick = radius ? Math.max(radius / view.half, kThinnest) : kRodRadius;
        parts.rods.push(view.rod(group, thick, material, [from, to], capsule));
      }
    }
    for (const {at, turned, length} of this.view.axes) {
      if (!motion.has(at)) continue;
      const mesh = new THREE.Group(),
        long = length ? length / view.half : kAxesLength;
      kOfAxes.forEach((colour, axis) => {
        const line = view.line(colour, 2.5),
          end = [0, 0, 0];
        end[axis] = long;
        line.geometry.setPositions([0, 0, 0, ...end]);
        mesh.add(line);
      });
      mesh.matrixAutoUpdate = false;
      group.add(mesh);
      parts.bodies.push({mesh, at, turned});
    }
    for (const {point, colour} of this.view.traces)
      if (motion.has(`${point}.p`)) view.trace(motion, group, parts, point, colours, opacity, colour ?? undefined);
    for (const item of this.view.vectors.filter(({value}) => motion.has(value)))
      parts.vectors.push({
        ...view.arrow(group, item, new Arrow(item.colour ?? colours.load), k),
        scale: this.scales.get(item.unit),
      });
  }

  buildShape(view, item, group, parts, colours, opacity, k) {
    const {shape, surface, at, turned, on} = item;
    const tones = this.tones(
      on,
      surface ? {body: colours.rod, other: colours.rod} : colours,
      item.colour ?? this.colour(on),
    );
    const geometry = bodyGeometry(
      shape,
      1 / view.half,
      surface ? {body: tones.body, other: tones.body} : tones,
      kThinnest,
    );
    const isFlat = shape.kind === 'plane';
    const material = new THREE.MeshLambertMaterial({
      vertexColors: true,
      transparent: surface || opacity < 1,
      opacity: surface ? 0.3 * opacity : opacity,
      depthWrite: !surface && opacity === 1,
      side: surface || isFlat ? THREE.DoubleSide : THREE.FrontSide,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    if (surface) mesh.renderOrder = -3;
    if (isFlat)
      mesh.add(
        new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({color: tones.body})),
      );
    group.add(mesh);
    parts.bodies.push({mesh, at, turned, isSurface: surface});
    if (!view.isPlane && k === 0 && !surface && !isFlat && view.hasShadows) view.shadow(group, parts, mesh, colours);
  }

  /** Returns the labels of the stated vectors and axes. */
  marks(view) {
    const marks = [];
    view.drawn.forEach(({motion, vectors}, k) => {
      if (k > 0 && !view.options.other) return;
      for (const {item, drawn, size} of vectors) {
        if (!drawn.group.visible) continue;
        const tip = drawn.group.position.clone().addScaledVector(drawn.direction, drawn.length);
        marks.push({
          key: `${k}${item.value}`,
          ...view.pixels(tip),
          name: item.text,
          value: shown(size, 3) + plainUnit(item.unit),
          note: k > 0 ? motion.name : '',
          colour: item.colour ?? '#868e99',
        });
      }
      if (k > 0) return;
      this.view.labels.forEach(({at, text, colour}, place) => {
        const point = view.place(motion, at, view.time);
        if (point)
          marks.push({
            key: `text ${place}`,
            ...view.pixels(point),
            name: text,
            value: '',
            colour: colour ?? 'var(--dim)',
          });
      });
      for (const {frame, at, turned, length} of this.view.axes) {
        const place = view.place(motion, at, view.time),
          [w, x, y, z] = turned ? motion.at(turned, view.time) : [1, 0, 0, 0];
        ['x', 'y', 'z'].forEach((name, axis) => {
          const end = new THREE.Vector3()
            .setComponent(axis, length ? length / view.half : kAxesLength)
            .applyQuaternion(new THREE.Quaternion(x, y, z, w));
          const seen = end
            .clone()
            .addScaledVector(
              view.camera.getWorldDirection(new THREE.Vector3()),
              -end.dot(view.camera.getWorldDirection(new THREE.Vector3())),
            );
          if (seen.lengthSq() > 0.02 * end.lengthSq())
            marks.push({
              key: `axis ${frame}${name}`,
              ...view.pixels(place.clone().add(end)),
              name: `${frame}.${name}`,
              value: '',
              colour: kOfAxes[axis],
            });
        });
      }
    });
    return marks;
  }
}
