// Builds the page: header, drawing with playback controls, tabs.
import {chip, download, h, svg} from './dom.js';
import {picture} from './lines.js';
import {csvOf} from './numbers_file.js';
import {plainUnit, shown} from './numbers.js';
import {Plots} from './plots.js';
import {record, videoFormat} from './record.js';
import {readScene} from './scene.js';
import {drawSheet, sheetFor} from './sheet.js';
import {splitBar} from './split.js';
import {auditTab, Constraints, equationsTab, modelTab} from './tabs.js';
import {constraintColour} from './theme.js';
import {actingTimes, Timeline} from './timeline.js';
import {View} from './view.js';
import * as THREE from 'three';

const icon = (...paths) =>
  svg(
    'svg',
    {'viewBox': '0 0 24 24', 'width': 18, 'height': 18, 'aria-hidden': 'true', 'class': 'icon'},
    ...paths.map((d) => svg('path', {d})),
  );
const kIcons = {
  play: 'M7 4l14 8l-14 8z',
  pause: 'M6 4h4v16h-4zM14 4h4v16h-4z',
  loop: 'M17 2l4 4l-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4l4-4M21 13v1a4 4 0 0 1-4 4H3',
  theme: 'M21 13a9 9 0 1 1-10-10a7 7 0 0 0 10 10z',
};
const kVideoNames = {webm: 'WebM', mp4: 'MP4'};
const kPaces = [0.1, 0.25, 0.5, 1, 2, 4];
const kKeys = [
  ['Space', 'play or pause'],
  ['← →', 'step −1, +1; with Shift −10, +10'],
  ['Home End', 'start, end'],
  [', .', 'previous event, next event'],
  ['[ ]', 'slower, faster'],
  ['F', 'fit the view'],
  ['1 – 4', 'view: default, along x, y, z'],
  ['P', 'perspective or orthographic'],
  ['C', 'camera follows'],
  ['V', 'force arrows'],
  ['− +', 'shorter or longer arrows'],
  ['L', 'logarithmic arrow length'],
  ['B', 'labels'],
  ['T', 'traces'],
  ['G', 'loads'],
  ['I', 'inertia of bodies'],
  ['O', 'other motions'],
  ['D', 'dark or light'],
  ['Z', 'plots: all times'],
  ['S', 'save a picture'],
  ['Esc', 'stop the recording of a video'],
  ['?', 'this list'],
];

/** Calls a function after the first frame is painted, or after half a second if the browser does not report it. */
function behindTheFirstFrame(call) {
  let isDone = false;
  const once = () => {
    if (!isDone) {
      isDone = true;
      call();
    }
  };
  setTimeout(once, 500);
  if (PerformanceObserver.supportedEntryTypes?.includes('paint'))
    new PerformanceObserver(once).observe({type: 'paint', buffered: true});
}

class Page {
  constructor(scene) {
    this.scene = scene;
    this.time = scene.start;
    this.isPlaying = false;
    this.isLooping = true;
    const length = scene.end - scene.start;
    // motions of 1 to 60 s play in real time, others in about ten seconds
    this.rate = length >= 1 && length <= 60 ? 1 : length > 0 ? Number((length / 10).toPrecision(1)) : 1;
    this.pace = 1;
    this.setTheme(
      new URLSearchParams(location.hash.slice(1)).get('theme') ??
        (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
      false,
    );
    document.title = `${scene.model.title || scene.model.name} – Vinculum`;
    this.layout();
    this.connect();
    this.restore();
    behindTheFirstFrame(() => {
      this.view.start();
      if (this.startsPlaying) this.play(true);
    });
  }

  layout() {
    const {scene} = this,
      app = document.getElementById('app');
    this.stage = h('div', {class: 'stage'});
    this.live = h('div', {'class': 'unseen', 'aria-live': 'polite'});
    this.panels = h('div', {class: 'panels'});
    const page = h('main', {class: 'page'});
    page.append(
      h('section', {'class': 'left', 'aria-label': 'motion'}, this.stage, this.transport(), this.lesson()),
      splitBar(page, () => this.plots.refresh()),
      h('section', {'class': 'right', 'aria-label': 'plots and tables'}, this.tabList(), this.panels),
    );
    app.replaceChildren(this.header(), page, this.live, this.help());
    this.view = new View(scene, this.stage);
    if (!this.view.hasPlaces) document.body.classList.add('no-places');
    this.stage.append(this.toolbar());
    this.plots = new Plots(scene, (time) => this.seek(time));
    this.constraints = new Constraints(scene, this.view);
    for (const [name, content] of Object.entries(this.contents)) {
      const panel = h('div', {
        'class': 'panel',
        'role': 'tabpanel',
        'id': `panel-${name}`,
        'aria-labelledby': `tab-${name}`,
        'hidden': true,
        'tabindex': '0',
      });
      panel.fill = () => {
        if (!panel.childNodes.length) panel.append(content());
      };
      this.panels.append(panel);
    }
  }

  header() {
    const {scene} = this,
      lines = scene.audited?.lines?.filter(({verdict}) => verdict !== 'does not apply') ?? [];
    const good = lines.filter(({verdict}) => verdict === 'holds').length,
      holds = good === lines.length;
    const logo = svg(
      'svg',
      {'viewBox': '0 0 20 22', 'width': 20, 'height': 22, 'aria-hidden': 'true'},
      svg('path', {d: 'M1 4H19', class: 'bar-of-logo'}),
      svg('path', {d: 'M4 10L10 20L16 10', class: 'vee'}),
    );
    return h(
      'header',
      {class: 'top'},
      logo,
      h('div', {class: 'title'}, h('h1', {}, scene.model.title || scene.model.name), h('code', {}, scene.model.name)),
      h(
        'div',
        {class: 'actions'},
        lines.length
          ? h(
              'button',
              {class: `badge ${holds ? 'good' : 'bad'}`, type: 'button', onclick: () => this.open('Audit')},
              `${holds ? '✓' : '✕'} audit ${good} of ${lines.length}`,
            )
          : null,
        this.saveMenu(),
        h(
          'button',
          {
            'class': 'square',
            'type': 'button',
            'title': 'dark, light (D)',
            'aria-label': 'dark or light',
            'onclick': () => this.toggleTheme(),
          },
          icon(kIcons.theme),
        ),
        h(
          'button',
          {
            'class': 'square',
            'type': 'button',
            'title': 'keys (?)',
            'aria-label': 'list of keys',
            'onclick': () => this.keys.showModal(),
          },
          '?',
        ),
      ),
    );
  }

  saveMenu() {
    const menu = h('details', {class: 'menu'});
    const item = (text, act) =>
      h(
        'button',
        {
          type: 'button',
          onclick: () => {
            menu.open = false;
            act();
          },
        },
        text,
      );
    menu.append(
      h('summary', {class: 'button'}, 'Save'),
      h(
        'div',
        {class: 'items'},
        item('Picture (PNG)', () => this.savePicture()),
        videoFormat() ? item(`Video of the motion (${kVideoNames[videoFormat()[1]]})`, () => this.saveVideo()) : null,
        item('Plots shown (SVG)', () => this.savePlots()),
        item('Curves shown (CSV)', () => this.saveCurves()),
        item('Numbers of the range shown (CSV)', () => this.saveNumbers()),
        item('Print', () => window.print()),
      ),
    );
    return menu;
  }

  toolbar() {
    const {view} = this,
      scene = this.scene;
    const option = (key, text, title) => {
      const one = chip(
        text,
        view.options[key],
        (on) => {
          view.options[key] = on;
          view.show(this.time);
        },
        title,
      );
      one.dataset.option = key;
      return one;
    };
    this.options = h(
      'div',
      {'class': 'chips on-stage', 'role': 'group', 'aria-label': 'shown in the drawing'},
      scene.forces.length + scene.torques.length + scene.reveals.length + scene.motions[0].impulses.length
        ? option('forces', 'forces', 'V: forces of constraints, and impulses in impacts')
        : null,
      scene.loads.length ? option('loads', 'loads', 'G') : null,
      option('traces', 'traces', 'T'),
      option('labels', 'labels', 'B'),
      scene.forces.length + view.revealed(false).length ? option('log', 'log', 'L') : null,
      scene.bodies.length
        ? option('inertia', 'inertia', 'I: the solid of the same mass and inertia over each body')
        : null,
      scene.motions.length > 1
        ? option(
            'other',
            scene.motions
              .slice(1)
              .map(({name}) => name)
              .join(', '),
            'O',
          )
        : null,
      (this.follow = chip(
        'follow',
        view.options.along,
        (on) => {
          view.options.along = on;
          view.show(this.time);
          view.fit();
        },
        'C: the camera follows',
      )),
      h('button', {class: 'chip plain', type: 'button', title: 'F', onclick: () => view.fit()}, 'fit'),
    );
    return this.options;
  }

  transport() {
    const {scene} = this;
    this.playButton = h(
      'button',
      {
        'class': 'play',
        'type': 'button',
        'aria-label': 'play',
        'title': 'Space',
        'onclick': () => this.play(!this.isPlaying),
      },
      icon(kIcons.play),
    );
    this.slider = h('input', {
      'type': 'range',
      'class': 'slider',
      'min': '0',
      'max': '1',
      'step': 'any',
      'value': '0',
      'aria-label': 'time',
      'oninput': () => {
        this.play(false);
        this.seek(scene.start + Number(this.slider.value) * (scene.end - scene.start));
      },
    });
    this.timeline = new Timeline(scene);
    this.clock = h('output', {class: 'clock'});
    this.paces = h(
      'select',
      {
        'aria-label': 'pace',
        'title': '[ ]',
        'onchange': () => {
          this.pace = Number(this.paces.value);
        },
      },
      kPaces.map((pace) =>
        h(
          'option',
          {value: pace, selected: pace === 1},
          `${Number((pace * this.rate).toPrecision(3))}${this.rate === 1 ? '×' : ' s/s'}`,
        ),
      ),
    );
    this.loop = h(
      'button',
      {
        'class': 'square',
        'type': 'button',
        'aria-pressed': 'true',
        'aria-label': 'repeat',
        'title': 'repeat',
        'onclick': () => {
          this.isLooping = !this.isLooping;
          this.loop.setAttribute('aria-pressed', String(this.isLooping));
        },
      },
      icon(kIcons.loop),
    );
    return h(
      'div',
      {class: 'transport'},
      this.playButton,
      h('div', {class: 'track'}, this.timeline.marks, this.slider, this.timeline.lanes),
      this.clock,
      this.paces,
      this.loop,
    );
  }

  /** Returns the text after "Lesson:" in a comment of the model. */
  lesson() {
    const match = /#\s*Lesson:\s*([\s\S]*?)(?:\n\s*\n|\n[^#\s])/.exec(`${this.scene.model.text}\n\n`);
    const text = match?.[1].replace(/\n\s*#\s?/g, ' ').trim();
    if (!text) return null;
    const parts = (text[0].toUpperCase() + text.slice(1)).split('`');
    return h(
      'p',
      {class: 'lesson'},
      parts.map((part, k) => (k % 2 === 1 ? h('code', {}, part) : part)),
    );
  }

  /** The tabs in their order, with the functions that make their contents when they are opened first. */
  contents = {
    Plots: () => this.plots.element,
    Constraints: () => this.constraints.element,
    Audit: () => auditTab(this.scene, (t) => this.seek(t)),
    Equations: () => equationsTab(this.scene),
    Model: () => modelTab(this.scene, (t) => this.seek(t)),
  };

  tabList() {
    const names = Object.keys(this.contents);
    this.tabs = new Map(
      names.map((name) => [
        name,
        h(
          'button',
          {
            'class': 'tab',
            'role': 'tab',
            'type': 'button',
            'id': `tab-${name}`,
            'aria-controls': `panel-${name}`,
            'aria-selected': 'false',
            'tabindex': '-1',
            'onclick': () => this.open(name),
          },
          name,
        ),
      ]),
    );
    const list = h(
      'div',
      {
        'class': 'tabs',
        'role': 'tablist',
        'aria-label': 'beside the drawing',
        'onkeydown': (event) => {
          const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
          if (!step) return;
          const next = names[(names.indexOf(this.tab) + step + names.length) % names.length];
          this.open(next);
          this.tabs.get(next).focus();
          event.preventDefault();
          event.stopPropagation();
        },
      },
      [...this.tabs.values()],
    );
    return list;
  }

  help() {
    this.keys = h(
      'dialog',
      {'aria-label': 'keys'},
      h('h2', {}, 'Keys'),
      h(
        'dl',
        {class: 'keys'},
        kKeys.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)]),
      ),
      h('form', {method: 'dialog'}, h('button', {class: 'button'}, 'Close')),
    );
    return this.keys;
  }

  open(name) {
    if (!this.tabs.has(name)) return;
    this.tab = name;
    for (const [other, tab] of this.tabs) {
      tab.setAttribute('aria-selected', String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      document.getElementById(`panel-${other}`).hidden = other !== name;
    }
    document.getElementById(`panel-${name}`).fill();
    if (name === 'Plots') this.plots.refresh();
    this.settle();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.scene.start), this.scene.end);
    this.show();
    if (!this.isPlaying) this.settle();
  }

  show(isLight = false) {
    const {scene, time} = this;
    this.view.show(time);
    if (this.tab === 'Plots') this.plots.show(time, !isLight);
    if (this.tab === 'Constraints' && !isLight) this.constraints.show(time);
    const part = (time - scene.start) / (scene.end - scene.start || 1);
    this.slider.value = String(part);
    this.slider.style.setProperty('--part', `${100 * part}%`);
    const duration = Math.max(scene.end - scene.start, 1e-12);
    const text = `${time.toFixed(Math.max(0, 2 - Math.floor(Math.log10(duration / 10))))} s`;
    this.clock.textContent = text;
    this.slider.setAttribute('aria-valuetext', text);
  }

  /** Updates the announced values and the address, but only while the motion is stopped. */
  settle() {
    if (this.tab === 'Plots') this.plots.show(this.time, true);
    this.constraints.show(this.time);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      const motion = this.scene.motions[0];
      const forces = this.scene.forces
        .concat(this.view.revealed(false))
        .filter(({value}) => motion.has(value))
        .slice(0, 8)
        .map((one) => {
          const size = shown(Math.hypot(...motion.forceAt(one, this.time)), 3);
          const note = motion.isUnique(one.value, this.time) ? '' : ', one of many';
          return `${one.constraint} on ${one.on} ${size}${plainUnit(one.unit)}${note}`;
        });
      this.live.textContent = [`t ${this.clock.textContent}.`, ...forces].join(' ').replace(/(N)(?= \S+ on )/g, '$1;');
      const state = new URLSearchParams({
        t: String(Number(this.time.toPrecision(7))),
        tab: this.tab.toLowerCase(),
        theme: document.documentElement.dataset.theme,
      });
      try {
        history.replaceState(null, '', `#${state}`);
      } catch {
        /* a page without an address */
      }
    }, 250);
  }

  play(isOn) {
    if (isOn === this.isPlaying) return;
    this.isPlaying = isOn;
    this.playButton.replaceChildren(icon(isOn ? kIcons.pause : kIcons.play));
    this.playButton.setAttribute('aria-label', isOn ? 'stop' : 'play');
    if (!isOn) return this.settle();
    if (this.time >= this.scene.end) this.time = this.scene.start;
    let last = performance.now(),
      spoken = 0;
    const frame = (now) => {
      if (!this.isPlaying) return;
      this.time += Math.min(0.1, (now - last) / 1000) * this.rate * this.pace;
      last = now;
      if (this.time >= this.scene.end) {
        if (this.isLooping) this.time = this.scene.start;
        else {
          this.time = this.scene.end;
          this.show();
          return this.play(false);
        }
      }
      const isLight = now - spoken < 150;
      if (!isLight) spoken = now;
      this.show(isLight);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  step(count) {
    this.play(false);
    const {t} = this.scene.motions[0];
    let i = t.findIndex((one) => one > this.time + 1e-12 * (this.scene.end - this.scene.start));
    i = i < 0 ? t.length - 1 : i - 1;
    if (count < 0 && t[i] < this.time - 1e-12) ++count;
    this.seek(t[Math.min(Math.max(i + count, 0), t.length - 1)]);
  }
  stepEvent(direction) {
    this.play(false);
    const times = this.scene.events.map(({t}) => t).sort((a, b) => a - b),
      near = 1e-9 * (this.scene.end - this.scene.start);
    const next = direction > 0 ? times.find((t) => t > this.time + near) : times.findLast((t) => t < this.time - near);
    if (next !== undefined) this.seek(next);
  }
  changePace(step) {
    const place = Math.min(Math.max(kPaces.indexOf(this.pace) + step, 0), kPaces.length - 1);
    this.pace = kPaces[place];
    this.paces.value = String(this.pace);
  }
  toggle(key) {
    this.options.querySelector(`[data-option="${key}"]`)?.click();
  }

  setTheme(theme, isShown = true) {
    document.documentElement.dataset.theme = theme === 'dark' ? 'dark' : 'light';
    if (!isShown) return;
    this.view.repaint();
    this.constraints.repaint();
    this.timeline.repaint();
    this.plots.make();
    this.settle();
  }
  toggleTheme() {
    this.setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  }

  views(key) {
    const {view} = this,
      axis = {2: [1, 0, 0], 3: [0, 1, 0], 4: [0, 0, 1]}[key];
    if (view.isPlane || !axis) view.fit();
    else view.fit(new THREE.Vector3(...axis).multiplyScalar(key === '3' ? -1 : 1).addScaledVector(view.up, 1e-4));
  }

  connect() {
    const act = {
      ' ': () => this.play(!this.isPlaying),
      'ArrowLeft': (e) => this.step(e.shiftKey ? -10 : -1),
      'ArrowRight': (e) => this.step(e.shiftKey ? 10 : 1),
      'Home': () => this.seek(this.scene.start),
      'End': () => this.seek(this.scene.end),
      ',': () => this.stepEvent(-1),
      '.': () => this.stepEvent(1),
      '[': () => this.changePace(-1),
      ']': () => this.changePace(1),
      'f': () => this.view.fit(),
      'p': () => this.view.changeProjection(),
      'c': () => this.follow.click(),
      'v': () => this.toggle('forces'),
      'l': () => this.toggle('log'),
      'b': () => this.toggle('labels'),
      't': () => this.toggle('traces'),
      'g': () => this.toggle('loads'),
      'i': () => this.toggle('inertia'),
      'o': () => this.toggle('other'),
      'd': () => this.toggleTheme(),
      'z': () => this.plots.zoom(null),
      's': () => this.savePicture(),
      '?': () => this.keys.showModal(),
      'Escape': () => this.recording?.abort(),
      '-': () => this.stretch(1 / 1.25),
      '+': () => this.stretch(1.25),
      '=': () => this.stretch(1.25),
    };
    for (const key of '1234') act[key] = () => this.views(key);
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.keys.open) return;
      const {target} = event,
        isText =
          target.matches('select, pre, [role=tab], [role=separator]') ||
          (target.matches('button, summary') && event.key === ' ');
      const run = act[event.key] ?? act[event.key.toLowerCase()];
      if (isText || !run) return;
      run(event);
      event.preventDefault();
    });
    addEventListener('beforeprint', () => this.spread(true));
    addEventListener('afterprint', () => this.spread(false));
    let wait = 0;
    addEventListener('resize', () => {
      clearTimeout(wait);
      wait = setTimeout(() => this.plots.refresh(), 120);
    });
  }
  /** When printing, all tabs are shown, in light colors. */
  spread(isOn) {
    if (isOn) this.before = {tab: this.tab, theme: document.documentElement.dataset.theme};
    this.setTheme(isOn ? 'light' : this.before.theme);
    for (const name of this.tabs.keys()) {
      const panel = document.getElementById(`panel-${name}`);
      if (isOn) panel.fill();
      panel.hidden = !isOn && name !== this.before.tab;
    }
  }
  stretch(by) {
    this.view.forceScale.factor = Math.min(10, Math.max(0.1, this.view.forceScale.factor * by));
    this.view.show(this.time);
  }

  restore() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const tab = [...this.tabs.keys()].find((name) => name.toLowerCase() === wanted.get('tab')) ?? 'Plots';
    this.open(tab);
    const time = Number(wanted.get('t') ?? this.scene.start);
    this.seek(Number.isFinite(time) ? time : this.scene.start);
    // Without a time in the address the motion plays. If the reader prefers reduced motion, it does not start by
    // itself.
    const play = wanted.get('play') ?? (wanted.has('t') || !this.view.hasPlaces ? '0' : '1');
    this.startsPlaying =
      play === '1' && this.scene.end > this.scene.start && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /** The title of a picture or of a frame of a video. */
  get caption() {
    return `${this.scene.model.title || this.scene.model.name}, t = ${this.clock.textContent}`;
  }
  /** Saves the drawing with its labels, scale bars, title and time. */
  savePicture() {
    const {view} = this;
    if (!view.renderer) return;
    const sheet = sheetFor(view);
    drawSheet(sheet, view, this.stage, this.caption);
    sheet.toBlob((blob) => download(`${this.scene.model.name}.png`, blob));
  }

  /** Saves a video of the whole motion at the chosen pace. Escape stops the recording. */
  async saveVideo() {
    const {view, scene} = this,
      [, ending] = videoFormat();
    if (!view.renderer || this.recording) return;
    this.play(false);
    const before = this.time,
      sheet = sheetFor(view),
      speed = this.rate * this.pace,
      length = (scene.end - scene.start) / speed;
    this.recording = new AbortController();
    try {
      const video = await record(
        sheet,
        length,
        (time) => {
          this.time = scene.start + Math.min(time * speed, scene.end - scene.start);
          this.show(true);
          drawSheet(sheet, view, this.stage, this.caption);
          view.say(`recording: ${((100 * time) / (length || 1)).toFixed(0)} %. Escape stops it.`);
        },
        this.recording.signal,
      );
      if (video) download(`${scene.model.name}.${ending}`, video);
    } finally {
      this.recording = null;
      view.message.hidden = true;
      this.seek(before);
    }
  }

  /** Saves the plots in the colors of the light theme. */
  savePlots() {
    const root = document.documentElement,
      {theme} = root.dataset;
    root.dataset.theme = 'light';
    const text = picture(
      this.scene.model.title || this.scene.model.name,
      this.plots.open().filter(({lines}) => lines.length > 0),
      this.plots.crossed.map((plot) => plot.inRange()),
      this.plots.range,
      actingTimes(this.scene)
        .filter(({isSteady}) => !isSteady)
        .map((one) => ({...one, colour: constraintColour(this.scene, one.name)})),
    );
    root.dataset.theme = theme;
    download(`${this.scene.model.name}.svg`, text, 'image/svg+xml');
  }

  saveNumbers() {
    const text = csvOf(this.scene.motions, this.plots.range, (motion) => motion.series);
    download(`${this.scene.model.name}.csv`, text, 'text/csv');
  }
  saveCurves() {
    const text = csvOf(this.scene.motions, this.plots.range, (motion) => this.plots.curvesOf(motion));
    download(`${this.scene.model.name}_curves.csv`, text, 'text/csv');
  }
}

const data = (id) => document.getElementById(id).textContent;
try {
  window.vinculum = new Page(readScene(JSON.parse(data('scene')), data('columns')));
} catch (error) {
  document.getElementById('app').textContent = `This page contains no scene that can be read: ${error.message}`;
  throw error;
}
