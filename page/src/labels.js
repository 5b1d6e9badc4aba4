// Draws names and values next to arrows, and the elements in the corners of the drawing: scale bars, axes.
import {h, svg} from './dom.js';
import {roundBelow, withPrefix} from './numbers.js';

// Sizes of a label in pixels, as in style.css: font, height, everything but the text, gap before the note
const kFontSize = 12,
  kTall = 20,
  kFrame = 21,
  kBetween = 6;
const kSteps = 14; // rows of text by which a label moves at most to find a free place
const kFar = 20; // pixels: if a label is farther than this from its position, a line connects the two

/**
 * Returns a free place for a label: to the right of its position, then below, above and to the left of it, farther and
 * farther away.
 */
function place({x, y}, {w, tall}, {width, height}, taken) {
  const inside = (left, top) => ({
    x: Math.min(Math.max(4, left), width - w - 4),
    y: Math.min(Math.max(46, top), height - tall - 48),
  });
  const isFree = (at) =>
    taken.every((box) => at.x >= box.x + box.w || box.x >= at.x + w || at.y >= box.y + box.h || box.y >= at.y + tall);
  const first = inside(x + 10, y - tall / 2);
  if (isFree(first)) return {...first, isMoved: false};
  for (let step = 1; step <= kSteps; ++step) {
    for (const [side, off] of [
      [1, step],
      [1, -step],
      [-1, step],
      [-1, -step],
    ]) {
      const at = inside(side > 0 ? x + 10 + 4 * step : x - w - 10 - 4 * step, y - tall / 2 + off * (tall + 2));
      if (isFree(at)) return {...at, isMoved: true};
    }
  }
  return {...first, isMoved: true};
}

/** Texts at positions of the drawing, placed so that they do not overlap. */
export class Labels {
  /** \param leaders SVG element over the same area, for the lines from labels to their positions */
  constructor(layer, leaders) {
    Object.assign(this, {layer, leaders});
    this.used = new Map();
  }
  /**
   * \param wanted [{key, x, y, name, value, note, colour, isDashed}] in pixels of the layer
   * \param width  of the layer, like `height`
   */
  show(wanted, width, height) {
    const taken = [];
    const seen = new Set(),
      lines = [];
    for (const one of wanted) {
      seen.add(one.key);
      let label = this.used.get(one.key);
      if (!label) {
        label = {mark: h('i'), name: h('b'), note: h('span')};
        label.element = h('div', {class: 'label'}, label.mark, label.name, label.note);
        this.layer.append(label.element);
        this.used.set(one.key, label);
      }
      if (label.isHidden !== false) label.element.style.display = '';
      label.isHidden = false;
      if (label.look !== `${one.isDashed} ${one.colour}`) {
        label.look = `${one.isDashed} ${one.colour}`;
        label.mark.classList.toggle('dashed', Boolean(one.isDashed));
        label.mark.style.setProperty('--c', one.colour);
      }
      const text = one.value ? `${one.name} ${one.value}` : one.name;
      const note = one.note ?? '';
      if (label.text !== text || label.noteText !== note) {
        label.name.textContent = label.text = text;
        label.note.textContent = label.noteText = note;
        label.width = this.widthOf(text, note);
      }
      const w = label.width,
        tall = kTall;
      const {x, y, isMoved} = place(one, {w, tall}, {width, height}, taken);
      taken.push({x, y, w, h: tall});
      const end = {x: one.x < x ? x : Math.min(one.x, x + w), y: y + tall / 2};
      if (isMoved || Math.hypot(x - one.x, end.y - one.y) > kFar) {
        const path = `M${one.x.toFixed(1)} ${one.y.toFixed(1)}L${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
        lines.push(svg('path', {d: path, class: 'halo'}), svg('path', {d: path, stroke: one.colour}));
        lines.push(svg('circle', {cx: one.x.toFixed(1), cy: one.y.toFixed(1), r: 2, fill: one.colour}));
      }
      label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    this.leaders.replaceChildren(...lines);
    for (const [key, label] of this.used) {
      if (seen.has(key) || label.isHidden) continue;
      label.element.style.display = 'none';
      label.isHidden = true;
    }
  }
  /** Width of a label in pixels. It is computed, because reading it from the page would compute the layout again. */
  widthOf(text, note) {
    if (!this.pen) {
      this.pen = document.createElement('canvas').getContext('2d');
      this.family = getComputedStyle(this.layer).fontFamily;
    }
    const wide = (part, weight) => {
      this.pen.font = `${weight} ${kFontSize}px ${this.family}`;
      return this.pen.measureText(part).width;
    };
    return Math.ceil(kFrame + wide(text, 700) + (note ? kBetween + wide(note, 400) : 0));
  }
  clear() {
    this.layer.replaceChildren();
    this.leaders.replaceChildren();
    this.used.clear();
  }
}

/** A scale bar of round length. \param perPixel quantity per pixel */
export class Bar {
  constructor(title, isArrow) {
    this.isArrow = isArrow;
    this.line = svg('svg', {'height': 12, 'aria-hidden': 'true'});
    this.text = h('span');
    this.element = h('div', {class: 'bar', title}, this.line, this.text);
  }
  set(perPixel, unit, longest = 96) {
    this.element.hidden = !(perPixel > 0 && Number.isFinite(perPixel));
    if (this.element.hidden) return;
    const look = `${perPixel.toPrecision(6)} ${unit} ${longest}`;
    if (look === this.look) return;
    this.look = look;
    const length = roundBelow(perPixel * longest),
      pixels = length / perPixel;
    this.line.setAttribute('width', pixels + 2);
    this.line.replaceChildren(
      svg('path', {d: this.isArrow ? `M1 6H${pixels - 6}` : `M1 1V7H${pixels}V1`, class: 'stroke'}),
      ...(this.isArrow ? [svg('path', {d: `M${pixels} 6l-9 -5v10z`, class: 'fill'})] : []),
    );
    this.text.textContent = withPrefix(length, unit);
  }
}

/** The axes x, y, z of the newtonian frame as seen by the camera. */
export class Triad {
  constructor() {
    this.element = svg('svg', {
      'class': 'triad',
      'width': 56,
      'height': 56,
      'viewBox': '-28 -28 56 56',
      'aria-hidden': 'true',
    });
  }
  /** \param axes [{name, x, y, depth}], vectors of length ≤ 1 with y upward */
  set(axes) {
    const look = axes.map(({x, y, depth}) => [x, y, depth].map((v) => v.toFixed(3)).join()).join();
    if (look === this.look) return;
    this.look = look;
    const drawn = axes.filter(({x, y}) => Math.hypot(x, y) > 0.12).sort((a, b) => a.depth - b.depth);
    this.element.replaceChildren(
      ...drawn.flatMap(({name, x, y, depth}) => {
        const letter = svg('text', {x: x * 24, y: -y * 24 + 3.5, opacity: depth < -0.3 ? 0.55 : 1});
        letter.textContent = name;
        return [
          svg('path', {d: `M0 0L${x * 17} ${-y * 17}`, class: 'stroke', opacity: depth < -0.3 ? 0.55 : 1}),
          letter,
        ];
      }),
    );
  }
}
