// Draws names and values next to arrows, and the elements in the corners of the drawing: scale bars, axes.
import {h, svg} from './dom.js';
import {roundBelow, withPrefix} from './numbers.js';

const kFar = 20; // pixels: if a label is farther than this from its position, a line connects the two

/** Texts at positions of the drawing, placed so that they do not overlap. */
export class Labels {
  /** \param leaders SVG element over the same area, for the lines from labels to their positions */
  constructor(layer, leaders) {
    Object.assign(this, {layer, leaders});
    this.used = new Map();
  }
  /** \param wanted [{key, x, y, name, value, note, colour, isDashed}] in pixels of the layer */
  show(wanted) {
    const width = this.layer.clientWidth,
      height = this.layer.clientHeight,
      taken = [];
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
      label.element.style.display = '';
      label.mark.classList.toggle('dashed', Boolean(one.isDashed));
      label.mark.style.setProperty('--c', one.colour);
      const text = one.value ? `${one.name} ${one.value}` : one.name;
      if (label.name.textContent !== text || label.note.textContent !== (one.note ?? '')) {
        label.name.textContent = text;
        label.note.textContent = one.note ?? '';
        label.size = null;
      }
      label.size ??= {w: label.element.offsetWidth, h: label.element.offsetHeight};
      const {w, h: tall} = label.size;
      const x = Math.min(Math.max(4, one.x + 10), width - w - 4);
      let y = Math.min(Math.max(46, one.y - tall / 2), height - tall - 48);
      for (let turn = 0; turn < 12; ++turn) {
        const hit = taken.find((box) => x < box.x + box.w && box.x < x + w && y < box.y + box.h && box.y < y + tall);
        if (!hit) break;
        y = hit.y + hit.h + 1;
      }
      taken.push({x, y, w, h: tall});
      const end = {x: one.x < x ? x : Math.min(one.x, x + w), y: y + tall / 2};
      if (Math.hypot(x - one.x, end.y - one.y) > kFar) {
        const path = `M${one.x.toFixed(1)} ${one.y.toFixed(1)}L${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
        lines.push(svg('path', {d: path, stroke: one.colour}));
      }
      label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    this.leaders.replaceChildren(...lines);
    for (const [key, label] of this.used) if (!seen.has(key)) label.element.style.display = 'none';
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
