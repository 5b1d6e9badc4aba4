// Draws the motion at one time: everything that has a position, and the force of every constraint.
import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';
import {Arc, Arrow, Scale} from './arrows.js';
import {h, svg} from './dom.js';
import {groundGrid, moveGrid, pressShadow, shadowOf, support} from './ground.js';
import {Bar, Labels, Triad} from './labels.js';
import {Impulses} from './impulses.js';
import {links} from './links.js';
import {plainUnit, shown} from './numbers.js';
import {locate} from './scene.js';
import {bodyGeometry, coil, kAxes, pin, reach, Rod} from './shapes.js';
import {linkRadius, skeletonGeometry} from './skeleton.js';
import {Stated} from './stated.js';
import {constraintColour, isDark, sceneColours} from './theme.js';

const kFieldOfView = 32;
const kFarAway = 5; // if a mechanism travels farther than this many times its own size, the camera follows it
const kAround = 2.5; // the view of a followed body shows this multiple of its size
const kInstants = 40; // number of intervals of a motion at whose ends positions are evaluated for the camera

const kZero = new THREE.Vector3(),
  kFull = new THREE.Vector3(1, 1, 1),
  kTurn = new THREE.Quaternion(); // of the body that is being placed

/** Creates a renderer; null without WebGL. The context is created first, because three.js logs errors if that fails. */
function makeRenderer(canvas) {
  const context = canvas.getContext('webgl2', {antialias: true, preserveDrawingBuffer: true});
  if (!context) return null;
  const renderer = new THREE.WebGLRenderer({canvas, context, antialias: true, alpha: true});
  renderer.setClearColor(0, 0);
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  return renderer;
}

export class View {
  constructor(scene, holder) {
    this.scene = scene;
    this.canvas = h('canvas', {
      'class': 'canvas',
      'tabindex': '0',
      'role': 'img',
      'aria-label': 'drawing of the motion',
    });
    this.layer = h('div', {'class': 'labels', 'aria-hidden': 'true'});
    this.length = new Bar('length');
    this.force = new Bar('force', true);
    this.triad = new Triad();
    this.message = h('p', {class: 'message', hidden: true});
    const leaders = svg('svg', {'class': 'leaders', 'aria-hidden': 'true'});
    holder.append(
      this.canvas,
      leaders,
      this.layer,
      h('div', {class: 'bars'}, this.length.element, this.force.element),
      this.triad.element,
      this.message,
    );
    this.labels = new Labels(this.layer, leaders);
    this.options = {
      forces: true,
      loads: false,
      traces: true,
      labels: true,
      log: false,
      inertia: false,
      other: true,
      along: false,
    };
    this.stated = new Stated(scene);
    this.hidden = this.stated.constraintsOff(); // constraints whose arrows are switched off
    this.time = scene.start;
    this.holder = holder;
    this.isReady = false; // whether the motion is drawn, or it is known that it cannot be drawn
    this.settle();
  }

  /** Draws for the first time. Called after the plots are visible, because starting the graphics takes longest. */
  start() {
    this.renderer = this.hasPlaces ? makeRenderer(this.canvas) : null;
    if (!this.renderer) {
      this.isReady = true;
      return this.say('This browser has no WebGL: the motion is not drawn. Plots and tables are complete.');
    }
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.say('The graphics are lost and will return without any action. The plots still work.');
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.message.hidden = true;
      this.draw();
    });
    this.build();
    this.update(this.time);
    const begin = () => {
      this.isBusy = false;
      new ResizeObserver(() => this.resize()).observe(this.holder);
      this.resize();
      this.show(this.time);
      this.isReady = true;
    };
    // shaders can be compiled in parallel while the page continues
    const compiles = this.renderer.getContext().getExtension('KHR_parallel_shader_compile');
    this.isBusy = Boolean(compiles);
    if (compiles) this.renderer.compileAsync(this.world, this.camera).then(begin, begin);
    else begin();
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = false;
  }

  /**
   * Defines scene units: coordinates relative to the center of the box around the motion, divided by half its size.
   * Computed in double precision.
   */
  settle() {
    const {scene} = this;
    const [low, high] = scene.space.box ?? [
      [-1, -1, -1],
      [1, 1, 1],
    ];
    this.centre = low.map((x, k) => (x + high[k]) / 2);
    const bodies = Math.max(0, ...scene.bodies.map((body) => this.stated.reach(body)));
    this.half = Math.max(...high.map((x, k) => (x - low[k]) / 2), bodies) || 1;
    if (scene.space.box) this.settleFollowing();
    this.isPlane = scene.space.normal >= 0;
    this.hasPlaces = Boolean(scene.space.box) && scene.points.length > 0;
    const gravity = new THREE.Vector3(...scene.space.gravity);
    this.moving ??= [];
    this.subject ??= [];
    this.normal = this.isPlane ? kAxes[scene.space.normal].clone() : null;
    this.up =
      gravity.lengthSq() > 0
        ? gravity.clone().normalize().negate()
        : new THREE.Vector3(0, this.isPlane ? 1 : 0, this.isPlane ? 0 : 1);
    if (this.isPlane) {
      this.up.addScaledVector(this.normal, -this.up.dot(this.normal));
      if (this.up.lengthSq() < 1e-12) this.up.copy(kAxes[scene.space.normal === 1 ? 2 : 1]);
      this.up.normalize();
      if (scene.space.normal === 1) this.normal.negate(); // x to the right, z up
    }
    this.forceScale = new Scale(scene, scene.forces.concat(this.revealed(false)));
    this.torqueScale = new Scale(scene, scene.torques.concat(this.revealed(true)));
    this.forceUnit = scene.forces.concat(this.revealed(false))[0]?.unit ?? '1';
    if (this.forceScale.spansDecades) this.options.log = true;
  }

  /**
   * If the mechanism travels many times its own size, makes the camera follow it, and makes its size the scene unit.
   */
  settleFollowing() {
    const [motion] = this.scene.motions,
      {followed} = this.stated.view,
      fixed = new Set(this.scene.points.filter((point) => point.fixed).map(({name}) => name));
    this.moving = this.scene.points.map(({name}) => name).filter((name) => !fixed.has(name) && motion.has(`${name}.p`));
    this.subject = followed ? [followed] : this.moving;
    if (followed) return this.settleSubject(followed, motion);
    // shapes that the model draws on the ground or on a frame must be visible as a whole
    if (
      this.moving.length === 0 ||
      this.scene.bodies.length === 0 ||
      this.stated.view.shapes.some(({on}) => !this.moving.includes(on))
    )
      return;
    const middles = [...Array(kInstants + 1).keys()].map((i) => this.middle(i));
    const box = new THREE.Box3().setFromPoints(middles),
      travel = box.getSize(new THREE.Vector3()).length() / 2;
    const bodies = new Map(
      this.scene.bodies.map((body) => [
        body.name,
        Math.max(
          this.stated.ball(body),
          ...this.stated
            .solids()
            .filter(({at}) => at === `${body.name}.p`)
            .map(({shape}) => reach(shape)),
        ) / this.half,
      ]),
    );
    const size = Math.max(
      ...this.moving.map(
        (name) =>
          (bodies.get(name) ?? 0) +
          Math.max(...middles.map((middle, i) => this.place(motion, `${name}.p`, this.instant(i)).distanceTo(middle))),
      ),
    );
    if (!(size > 0) || travel < kFarAway * size) return;
    this.options.along = true;
    this.half *= size;
  }
  /** If the view states a body, point or particle that the camera follows, makes its size the scene unit. */
  settleSubject(name, motion) {
    const body = this.scene.bodies.find((one) => one.name === name),
      others = this.moving.filter((other) => other !== name);
    const centre = this.place(motion, `${name}.p`, motion.start);
    const size =
      body && this.stated.reach(body) > 0
        ? (kAround * this.stated.reach(body)) / this.half
        : Math.max(0, ...others.map((other) => this.place(motion, `${other}.p`, motion.start).distanceTo(centre)));
    this.options.along = true;
    if (size > 0) this.half *= Math.min(1, size);
  }
  instant(i) {
    const [motion] = this.scene.motions;
    return motion.start + ((motion.end - motion.start) * i) / kInstants;
  }
  /** Returns the position that the camera follows: that of the stated subject, or the mean of all points that move. */
  middle(i, time = this.instant(i)) {
    const sum = new THREE.Vector3();
    for (const name of this.subject)
      sum.addScaledVector(this.place(this.scene.motions[0], `${name}.p`, time), 1 / this.subject.length);
    return sum;
  }
  /** Whether the camera moves with the mechanism, or with the subject that the view states. */
  get isFollowing() {
    return this.options.along && this.subject.length > 0;
  }

  /** Returns the forces or torques of `reveal` statements, to be treated like those of a constraint. */
  revealed(isTorque) {
    return this.scene.reveals.filter(({torque}) => torque === isTorque).map((one) => ({...one, constraint: one.name}));
  }

  place(motion, track, time) {
    const p = motion.at(track, time);
    return p && this.inScene(p);
  }
  /** Maps a position in m to scene units. */
  inScene(p) {
    return new THREE.Vector3(...p.map((x, k) => (x - this.centre[k]) / this.half));
  }

  build() {
    const colours = sceneColours();
    this.world = new THREE.Scene();
    this.world.add(new THREE.HemisphereLight(0xffffff, isDark() ? 0x55606c : 0xb8bcc4, isDark() ? 1.9 : 2.3));
    const sun = new THREE.DirectionalLight(0xffffff, 1.5);
    sun.position
      .copy(this.up)
      .multiplyScalar(3)
      .add(new THREE.Vector3(1.2, -1.6, 0.4));
    this.world.add(sun);
    this.drawn = this.scene.motions.map((motion, k) => this.buildMotion(motion, k, colours));
    this.buildGround(colours);
    if (!this.camera) this.makeCamera();
  }

  buildMotion(motion, k, colours) {
    const {scene} = this,
      group = new THREE.Group(),
      opacity = k === 0 ? 1 : 0.45;
    const plain = (colour) => new THREE.MeshLambertMaterial({color: colour, transparent: opacity < 1, opacity});
    const parts = {
      group,
      bodies: [],
      inertias: [],
      rods: [],
      coils: [],
      dots: [],
      traces: [],
      arrows: [],
      arcs: [],
      loads: [],
      vectors: [],
      shadows: [],
    };
    this.stated.build(this, motion, group, parts, colours, opacity, k);
    for (const body of scene.bodies.filter(({name}) => motion.has(`${name}.q`)))
      this.buildBody(body, group, parts, colours, opacity, k);
    const rods = this.stated.has('rods') ? links(scene, motion).filter((link) => !this.stated.links(link)) : [];
    for (const link of rods) parts.rods.push(this.rod(group, 0.016, plain(colours.rod), link));
    for (const {ends, slides} of this.stated.has('rods') ? this.embedded(motion, rods) : [])
      parts.rods.push(this.rod(group, slides ? 0.005 : 0.009, plain(slides ? colours.path : colours.link), ends));
    for (const {from, to} of scene.springs) {
      if (!motion.has(`${from}.p`) || !motion.has(`${to}.p`) || this.stated.links([from, to])) continue;
      const line = this.line(colours.trace, 2);
      group.add(line);
      parts.coils.push({line, ends: [from, to]});
    }
    this.buildPoints(motion, group, parts, colours, opacity);
    for (const item of this.stated.chosen(scene.forces, false).filter(({value}) => motion.has(value)))
      parts.arrows.push(this.arrow(group, item, new Arrow(constraintColour(scene, item.constraint)), k));
    for (const item of this.stated.chosen(scene.torques, true).filter(({value}) => motion.has(value)))
      parts.arcs.push(this.arrow(group, item, new Arc(constraintColour(scene, item.constraint)), k));
    for (const item of this.revealed(false).filter(
      (one) => motion.has(one.value) && !this.stated.hasArrow(motion, one),
    ))
      parts.arrows.push(this.arrow(group, item, new Arrow(constraintColour(scene, item.constraint)), k));
    for (const item of this.revealed(true).filter(({value}) => motion.has(value)))
      parts.arcs.push(this.arrow(group, item, new Arc(constraintColour(scene, item.constraint)), k));
    for (const item of scene.loads.filter(({value}) => motion.has(value)))
      parts.loads.push(this.arrow(group, item, new Arrow(colours.load), k));
    this.world.add(group);
    return {motion, ...parts, impulses: new Impulses(scene, motion, group, (p) => this.inScene(p))};
  }

  /**
   * Builds a body: as its stated shape, as its skeleton or, if it has no points, as the solid of its inertia. In the
   * first two cases the solid is built too, to be drawn over the body on request.
   */
  buildBody(body, group, parts, colours, opacity, k) {
    const at = `${body.name}.p`,
      turned = `${body.name}.q`,
      tones = this.stated.tones(body.name, colours),
      points = this.stated.skeleton(body.name);
    const add = (list, geometry, material) => {
      const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({vertexColors: true, ...material}));
      mesh.matrixAutoUpdate = false;
      group.add(mesh);
      list.push({mesh, at, turned});
      return mesh;
    };
    if (!this.stated.replaces(body.name)) {
      const geometry =
        points.length > 0
          ? skeletonGeometry(points, 1 / this.half, {...tones, dark: '#1c2733', bright: '#ffffff'})
          : bodyGeometry(body.shape, 1 / this.half, tones);
      const mesh = add(parts.bodies, geometry, {transparent: opacity < 1, opacity, depthWrite: opacity === 1});
      if (!this.isPlane && k === 0 && this.hasShadows) this.shadow(group, parts, mesh, colours);
      if (points.length === 0) return;
    }
    if (body.shape.kind !== 'dot')
      add(parts.inertias, bodyGeometry(body.shape, 1 / this.half, tones), {
        transparent: true,
        opacity: 0.35,
        depthWrite: false,
      });
  }
  /** Whether shadows are drawn. They fall along gravity, so there are none without gravity. */
  get hasShadows() {
    return this.stated.has('ground') && Math.hypot(...this.scene.space.gravity) > 0;
  }

  /**
   * Returns the links of joints that the coordinates satisfy identically: [{ends: [name, name], slides}]. Links that
   * are drawn in another way (as `rods`, springs, or as stated in the view) are left out.
   */
  embedded(motion, rods) {
    const {scene} = this,
      name = (track) => track.replace(/\.p$/, ''),
      isSame = (pair, [a, b]) => pair.includes(a) && pair.includes(b);
    return scene.links
      .map(({from, to, slides}) => ({ends: [name(from), name(to)], slides}))
      .filter(({ends}) => ends.every((end) => motion.has(`${end}.p`) && !this.stated.view.hidden.includes(end)))
      .filter(
        ({ends}) =>
          !this.stated.links(ends) &&
          !rods.some((pair) => isSame(pair, ends)) &&
          !scene.springs.some(({from, to}) => isSame([from, to], ends)),
      );
  }

  shadow(group, parts, mesh, colours) {
    parts.shadows.push({mesh, shadow: shadowOf(mesh, colours.shadow)});
    group.add(parts.shadows.at(-1).shadow);
  }
  arrow(group, item, drawn, motion) {
    group.add(drawn.group);
    return {item, drawn, motion};
  }
  rod(group, radius, material, ends, isRound = false) {
    const rod = new Rod(radius, material, isRound);
    group.add(rod.mesh);
    return {rod, ends};
  }
  line(colour, width, opacity = 1) {
    const line = new Line2(
      new LineGeometry(),
      new LineMaterial({color: colour, linewidth: width, transparent: opacity < 1, opacity}),
    );
    line.frustumCulled = false;
    return line;
  }
  buildPoints(motion, group, parts, colours, opacity) {
    const {scene} = this;
    const bears = new Set([...scene.forces, ...this.revealed(false)].map(({on}) => on)),
      massy = new Set(scene.particles);
    const bodies = new Set(scene.bodies.map(({name}) => name));
    const linked = new Set(
      parts.rods.flatMap(({ends}) => ends).concat(scene.springs.flatMap(({from, to}) => [from, to])),
    );
    // a pivot on the ground is marked whatever the shape of the body; other pins are marked on skeletons only
    const isSeen = (body, fixed) =>
      fixed ? !this.stated.view.hidden.includes(body.name) : !this.stated.replaces(body.name);
    const carriers = new Map(
      scene.points.map(({name, fixed}) => [
        name,
        scene.bodies.filter((body) => isSeen(body, fixed) && body.points.includes(name)),
      ]),
    );
    for (const {name, fixed, on} of scene.points) {
      if (!motion.has(`${name}.p`)) continue;
      const moves = massy.has(name) || (bears.has(name) && scene.bodies.length < 4);
      const held = carriers.get(name),
        isPin = held.length > 0 && !massy.has(name) && (bears.has(name) || held.some((body) => body.name !== on));
      const isDrawn =
        (!bodies.has(name) || bears.has(name)) && (massy.has(name) || bears.has(name) || linked.has(name) || isPin);
      if (isDrawn && moves && !fixed && this.stated.has('traces') && !this.stated.view.hidden.includes(name))
        this.trace(motion, group, parts, name, colours, opacity);
      if (!isDrawn || this.stated.replaces(name)) continue;
      const dot = isPin
        ? pin(
            colours.dot,
            colours.hole,
            this.normal,
            opacity,
            1.25 * Math.min(...held.map((body) => linkRadius(this.stated.skeleton(body.name), 1 / this.half))),
          )
        : new THREE.Mesh(
            new THREE.SphereGeometry(massy.has(name) ? 0.024 : 0.014, 24, 12),
            new THREE.MeshBasicMaterial({
              color: this.stated.colour(name) ?? colours.dot,
              transparent: opacity < 1,
              opacity,
            }),
          );
      dot.renderOrder = 10;
      group.add(dot);
      parts.dots.push({dot, name});
      if (!fixed || (!this.isPlane && !isPin && !linked.has(name))) continue;
      const others = held
        .map((body) => body.name)
        .concat(
          parts.rods.filter(({ends}) => ends.includes(name)).flatMap(({ends}) => ends.filter((end) => end !== name)),
        );
      support(this, group, this.place(motion, `${name}.p`, scene.start), colours, this.isBelow(motion, others, name));
    }
    if (scene.particles.length > 0 || !this.stated.has('traces')) return;
    for (const {name} of scene.bodies)
      if (!bears.has(name) && scene.bodies.length < 4) this.trace(motion, group, parts, name, colours, opacity);
  }
  /** Whether these points are, on average over the motion, below the point `name`. */
  isBelow(motion, names, name) {
    const height = (one, i) =>
      this.place(motion, `${one}.p`, motion.start + ((motion.end - motion.start) * i) / 20).dot(this.up);
    return (
      [...Array(21).keys()].reduce(
        (sum, i) => sum + names.reduce((all, one) => all + height(one, i) - height(name, i), 0),
        0,
      ) < -1e-6
    );
  }

  trace(motion, group, parts, name, colours, opacity, colour = colours.trace) {
    const [x, y, z] = motion.parts(`${name}.p`);
    if (x.length < 2) return;
    const places = new Float32Array(3 * x.length);
    for (let i = 0; i < x.length; ++i)
      [x[i], y[i], z[i]].forEach((value, k) => {
        places[3 * i + k] = (value - this.centre[k]) / this.half;
      });
    const path = this.line(colours.path, 1.4),
      past = this.line(colour, 2, opacity),
      last = this.line(colour, 2, opacity);
    path.geometry.setPositions(places);
    past.geometry.setPositions(places);
    path.material.depthWrite = false; // the past path has the same points
    path.renderOrder = -2;
    past.renderOrder = last.renderOrder = -1;
    group.add(path, past, last);
    parts.traces.push({name, path, past, last, places});
  }

  /** Adds a reference plane below everything in the drawing, perpendicular to gravity. It is not a contact surface. */
  buildGround(colours) {
    if (!this.hasPlaces || !this.stated.has('ground')) return;
    this.floor = this.isPlane ? 0 : this.lowest() - 0.0015;
    this.grid = groundGrid(this, colours.grid);
    this.world.add(this.grid);
  }

  /** Returns the height of the lowest drawn point, over 161 instants of the motion. */
  lowest() {
    let least = Infinity;
    for (let i = 0; i <= 160; ++i) {
      const time = this.scene.start + ((this.scene.end - this.scene.start) * i) / 160;
      this.update(time);
      for (const {bodies, dots} of this.drawn) {
        for (const {mesh, isSurface} of bodies) {
          if (isSurface || !mesh.geometry) continue;
          const place = mesh.geometry.getAttribute('position'),
            point = new THREE.Vector3();
          for (let j = 0; j < place.count; j += Math.ceil(place.count / 400))
            least = Math.min(least, point.fromBufferAttribute(place, j).applyMatrix4(mesh.matrix).dot(this.up));
        }
        for (const {dot} of dots) least = Math.min(least, dot.position.dot(this.up));
      }
    }
    return Number.isFinite(least) ? least : -1;
  }

  /** \param isParallel no perspective: equal lengths look equal */
  makeCamera(isParallel = this.isPlane) {
    const far = 60;
    this.controls?.dispose();
    this.camera = isParallel
      ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, far)
      : new THREE.PerspectiveCamera(kFieldOfView, 1, 0.02, far);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    if (this.isPlane) {
      this.controls.enableRotate = false;
      this.controls.screenSpacePanning = true;
      this.controls.mouseButtons = {LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN};
      this.controls.touches = {ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN};
    }
    this.controls.addEventListener('change', () => this.draw());
  }

  changeProjection() {
    if (!this.renderer || this.isPlane) return;
    const from = this.camera.position.clone().sub(this.controls.target);
    this.makeCamera(!this.camera.isOrthographicCamera);
    this.fit(from);
  }

  balls(motion, track, radius) {
    return motion.has(track)
      ? [...Array(kInstants + 1).keys()].map((i) => ({
          at: this.place(motion, track, motion.start + ((motion.end - motion.start) * i) / kInstants).add(
            this.shift?.[i] ?? kZero,
          ),
          r: radius / this.half,
        }))
      : [];
  }

  /**
   * Fits the view to spheres around everything that moves, over the whole motion. If the camera follows the mechanism,
   * positions are relative to its mean position.
   */
  fit(direction) {
    if (!this.renderer || !this.hasPlaces) return;
    const balls = [],
      {isFollowing} = this,
      now = isFollowing ? this.middle(0, this.time) : null;
    this.shift = isFollowing ? [...Array(kInstants + 1).keys()].map((i) => now.clone().sub(this.middle(i))) : null;
    const isSubject = isFollowing && Boolean(this.stated.view.followed);
    if (isSubject) balls.push({at: now.clone(), r: 1});
    for (const {motion} of isSubject ? [] : this.drawn) {
      for (const {name} of this.scene.points.filter(({fixed}) => !isFollowing || !fixed)) {
        const body = this.scene.bodies.find((one) => one.name === name);
        balls.push(...this.balls(motion, `${name}.p`, Math.max(0.04 * this.half, body ? this.stated.ball(body) : 0)));
      }
      for (const {at, shape} of this.stated
        .solids()
        .filter((one) => !isFollowing || this.moving.includes(one.at.replace(/\.p$/, ''))))
        balls.push(...this.balls(motion, at, reach(shape)));
    }
    const box = new THREE.Box3();
    for (const {at, r} of balls) box.union(new THREE.Box3(at.clone().subScalar(r), at.clone().addScalar(r)));
    const middle = box.getCenter(new THREE.Vector3());
    const away =
      direction ??
      (this.isPlane
        ? this.normal
        : new THREE.Vector3()
            .crossVectors(this.up, Math.abs(this.up.x) < 0.9 ? kAxes[0] : kAxes[1])
            .negate()
            .normalize()
            .addScaledVector(
              new THREE.Vector3().crossVectors(Math.abs(this.up.x) < 0.9 ? kAxes[1] : kAxes[2], this.up).normalize(),
              0.55,
            )
            .addScaledVector(this.up, 0.55));
    const back = away.clone().normalize();
    let right = new THREE.Vector3().crossVectors(this.up, back);
    if (right.lengthSq() < 1e-9) right = kAxes[0].clone();
    right.normalize();
    const over = new THREE.Vector3().crossVectors(back, right);
    const aspect = this.width / this.height,
      margin = isFollowing ? 1.3 : 1;
    for (const ball of balls) ball.at.sub(middle).multiplyScalar(margin).add(middle);
    this.controls.target.copy(middle);
    if (this.camera.isOrthographicCamera) {
      let half = 0.4;
      for (const {at, r} of balls) {
        const off = at.clone().sub(middle);
        half = Math.max(half, (Math.abs(off.dot(over)) + r) * 1.3, ((Math.abs(off.dot(right)) + r) * 1.15) / aspect);
      }
      Object.assign(this.camera, {top: half, bottom: -half, left: -half * aspect, right: half * aspect, zoom: 1});
      this.camera.position.copy(middle).addScaledVector(back, 20);
    } else {
      this.camera.aspect = aspect;
      const slope = Math.tan((kFieldOfView * Math.PI) / 360) * 0.84;
      let distance = 0.5;
      for (const {at, r} of balls) {
        const off = at.clone().sub(middle),
          depth = off.dot(back);
        distance = Math.max(
          distance,
          depth + (Math.abs(off.dot(over)) + r) / slope,
          depth + (Math.abs(off.dot(right)) + r) / (slope * aspect),
        );
      }
      this.camera.position.copy(middle).addScaledVector(back, distance);
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (!this.renderer || width < 2 || height < 2) return;
    const first = !this.width;
    Object.assign(this, {width, height});
    this.renderer.setSize(width, height, false);
    if (this.camera.isOrthographicCamera) {
      const half = this.camera.top;
      Object.assign(this.camera, {left: (-half * width) / height, right: (half * width) / height});
    } else this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.fit();
    else this.draw();
  }

  /** Redraws everything in the colors of the new theme. */
  repaint() {
    this.labels.clear();
    if (!this.renderer) return;
    this.build();
    this.show(this.time);
  }

  show(time) {
    const before = this.renderer && this.isFollowing && this.mean();
    this.time = time;
    if (!this.renderer) return;
    this.update(time);
    if (this.grid) moveGrid(this.grid, this.isFollowing ? this.middle(0, time) : kZero);
    if (before) {
      const moved = this.mean().sub(before);
      this.controls.target.add(moved);
      this.camera.position.add(moved);
      this.controls.update();
    }
    this.draw();
  }
  mean() {
    return this.subject.length > 0 ? this.middle(0, this.time) : kZero.clone();
  }

  update(time) {
    for (const part of this.drawn) {
      const {motion} = part,
        place = (name) => this.place(motion, `${name}.p`, time);
      for (const {mesh} of part.inertias) mesh.visible = this.options.inertia;
      for (const one of part.bodies) this.updateBody(one, motion, time);
      if (this.options.inertia) for (const one of part.inertias) this.updateBody(one, motion, time);
      for (const {rod, ends} of part.rods) rod.set(place(ends[0]), place(ends[1]));
      for (const {dot, name} of part.dots) dot.position.copy(place(name));
      for (const trace of part.traces) this.updateTrace(trace, motion, time, place(trace.name));
      if (this.floor !== undefined)
        for (const {mesh, shadow} of part.shadows) pressShadow(shadow, mesh, this.up, this.floor);
      for (const one of part.arrows) this.updateArrow(one, motion, time, this.forceScale, this.options.forces);
      for (const one of part.loads) this.updateArrow(one, motion, time, this.forceScale, this.options.loads);
      for (const one of part.arcs) this.updateArc(one, motion, time);
      for (const one of part.vectors) this.updateArrow(one, motion, time, one.scale, true);
      part.impulses.show(time, this.options.forces, this.hidden, this.forceScale.factor);
      this.fan(part);
    }
    this.drawn.slice(1).forEach(({group}) => {
      group.visible = this.options.other;
    });
  }

  updateBody({mesh, at, turned}, motion, time) {
    const [w, x, y, z] = turned ? motion.at(turned, time) : [1, 0, 0, 0];
    mesh.matrix.compose(this.place(motion, at, time), kTurn.set(x, y, z, w), kFull);
  }

  updateTrace({path, past, last, places}, motion, time, now) {
    for (const line of [path, past, last]) line.visible = this.options.traces;
    const {i} = locate(motion.t, time);
    past.geometry.instanceCount = Math.max(0, i);
    past.visible &&= i > 0;
    const here = [places[3 * i], places[3 * i + 1], places[3 * i + 2]];
    last.visible &&= now.distanceTo(new THREE.Vector3(...here)) > 1e-6;
    if (last.visible) last.geometry.setPositions([...here, ...now.toArray()]);
  }

  updateArrow(one, motion, time, scale, isOn) {
    const {item, drawn} = one,
      value = motion.forceAt(item, time);
    one.size = Math.hypot(...value);
    one.isUnique = motion.isUnique(item.value, time);
    drawn.group.visible = isOn && one.size > scale.nothing && !this.hidden.has(item.constraint);
    if (!drawn.group.visible) return;
    scale.isLog = this.options.log && scale === this.forceScale;
    const direction = one.size > 0 ? new THREE.Vector3(...value).divideScalar(one.size) : kAxes[0].clone();
    drawn.set(
      this.place(motion, item.at, time),
      direction,
      scale.drawn(one.size),
      one.isUnique,
      one.motion === 0 ? 1 : 0.7,
    );
  }

  updateArc(one, motion, time) {
    const {item, drawn} = one,
      value = motion.forceAt(item, time);
    one.size = Math.hypot(...value);
    one.isUnique = motion.isUnique(item.value, time);
    const largest = this.torqueScale.largest;
    const isOn =
      this.options.forces &&
      one.size > Math.max(1e-9 * largest, this.forceScale.nothing * this.half) &&
      !this.hidden.has(item.constraint);
    drawn.group.visible = isOn;
    if (isOn)
      drawn.set(
        this.place(motion, item.at, time),
        new THREE.Vector3(...value).divideScalar(one.size),
        one.size / largest,
        one.isUnique,
      );
  }

  /** Draws arrows at one point with the same direction side by side. */
  fan({arrows}) {
    const seen = arrows.filter(({drawn}) => drawn.group.visible && drawn.length > 0.004);
    const done = new Set();
    for (const one of seen) {
      if (done.has(one)) continue;
      const same = seen.filter(
        (other) =>
          other.drawn.group.position.distanceTo(one.drawn.group.position) < 1e-6 &&
          Math.abs(other.drawn.direction.dot(one.drawn.direction)) > 0.9998,
      );
      same.forEach((other) => done.add(other));
      if (same.length < 2) continue;
      const view = this.isPlane
        ? this.normal
        : this.camera
          ? this.camera.getWorldDirection(new THREE.Vector3())
          : kAxes[1];
      const side = new THREE.Vector3().crossVectors(one.drawn.direction, view);
      if (side.lengthSq() < 1e-9) continue;
      side.normalize();
      same.forEach((other, k) => other.drawn.group.position.addScaledVector(side, 0.04 * (k - (same.length - 1) / 2)));
    }
  }

  draw() {
    if (!this.renderer || !this.width || this.isBusy) return;
    for (const {motion, coils} of this.drawn) {
      for (const {line, ends, width} of coils) {
        const [from, to] = ends.map((name) => this.place(motion, `${name}.p`, this.time));
        line.geometry.setPositions(coil(from, to, this.camera.getWorldDirection(new THREE.Vector3()), width ?? 0.045));
      }
    }
    this.renderer.render(this.world, this.camera);
    this.drawMarks();
  }

  pixels(place) {
    const seen = place.clone().project(this.camera);
    return {x: ((seen.x + 1) / 2) * this.width, y: ((1 - seen.y) / 2) * this.height};
  }

  drawMarks() {
    const wanted = this.options.labels ? this.stated.marks(this) : [];
    this.drawn.forEach(({arrows, arcs, impulses, motion}, k) => {
      if (k > 0 && !this.options.other) return;
      const otherName = k > 0 ? motion.name : '';
      const note = (one, isCut) =>
        [one.isUnique ? '' : '· one of many', isCut ? '(cut)' : '', otherName].filter(Boolean).join(' ');
      for (const one of arrows) {
        if (!this.options.labels || !one.drawn.group.visible) continue;
        const tip = one.drawn.group.position.clone().addScaledVector(one.drawn.direction, one.drawn.length);
        wanted.push({
          key: `${k}${one.item.value}`,
          ...this.pixels(tip),
          name: one.item.constraint,
          value: shown(one.size, 3) + plainUnit(one.item.unit),
          note: note(one, this.forceScale.isCut(one.size)),
          colour: constraintColour(this.scene, one.item.constraint),
          isDashed: !one.isUnique,
        });
      }
      for (const one of arcs) {
        if (!this.options.labels || !one.drawn.group.visible || one.drawn.sweep < 0.02) continue;
        wanted.push({
          key: `${k}${one.item.value}`,
          ...this.pixels(one.drawn.group.position.clone().addScaledVector(this.up, 0.16)),
          name: one.item.constraint,
          value: shown(one.size, 3) + plainUnit(one.item.unit),
          note: note(one),
          colour: constraintColour(this.scene, one.item.constraint),
          isDashed: !one.isUnique,
        });
      }
      for (const {item, drawn, size} of this.options.labels ? impulses.drawn : []) {
        const tip = drawn.group.position.clone();
        if (item.moment) tip.addScaledVector(this.up, 0.16);
        else tip.addScaledVector(drawn.direction, drawn.length);
        wanted.push({
          key: `${k}impulse ${item.t} ${item.constraint} ${item.on} ${item.moment}`,
          ...this.pixels(tip),
          name: item.constraint,
          value: shown(size, 3) + plainUnit(item.unit),
          note: note({isUnique: item.unique}, false),
          colour: constraintColour(this.scene, item.constraint),
          isDashed: !item.unique,
        });
      }
    });
    this.labels.show(wanted.slice(0, 24), this.width, this.height);
    const perPixel = this.camera.isOrthographicCamera
      ? (this.camera.top - this.camera.bottom) / this.camera.zoom / this.height
      : (2 * Math.tan((kFieldOfView * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target)) /
        this.height;
    this.length.set(this.hasPlaces ? perPixel * this.half : NaN, this.scene.space.unit);
    const {typical, isLog, factor} = this.forceScale;
    this.force.set(
      typical > 0 && !isLog && this.options.forces ? (perPixel * typical) / (0.42 * factor) : NaN,
      this.forceUnit,
      110,
    );
    const turn = this.camera.quaternion.clone().invert();
    this.triad.set(
      ['x', 'y', 'z'].map((name, k) => {
        const axis = kAxes[k].clone().applyQuaternion(turn);
        return {name, x: axis.x, y: axis.y, depth: axis.z};
      }),
    );
  }

  /** Returns the impulses that are drawn now, for tests. */
  impulses() {
    return this.renderer
      ? this.drawn.flatMap(({motion, impulses}) =>
          impulses.drawn.map(({item, drawn, size}) => ({
            motion: motion.name,
            ...item,
            size,
            length: drawn.length,
            direction: drawn.direction.toArray(),
            place: drawn.group.position.toArray(),
          })),
        )
      : [];
  }

  /** Returns length (in scene units), direction and other data of each drawn force, for tests and descriptions. */
  arrows() {
    return this.renderer
      ? this.drawn.flatMap(({motion, arrows}) =>
          arrows.map(({item, drawn, size, isUnique}) => ({
            motion: motion.name,
            value: item.value,
            constraint: item.constraint,
            on: item.on,
            size,
            isUnique,
            isShown: drawn.group.visible,
            length: drawn.length,
            direction: drawn.direction.toArray(),
            perUnit: this.forceScale.length(size) / size,
          })),
        )
      : [];
  }
}
