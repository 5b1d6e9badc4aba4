// Builds the tabs next to the drawing: constraints, audit, equations, the text of the model.
import katex from 'katex';
import {h} from './dom.js';
import {highlighted} from './highlight.js';
import {plainUnit, shown, superscript} from './numbers.js';
import {nothingBelow} from './rounding.js';
import {sentence, sizes} from './scene.js';
import {constraintColour} from './theme.js';
import {textOfClock} from './timeline.js';

const kComponents = ['N.x', 'N.y', 'N.z'];
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Describes the interpolation error between drawn instants: 1/`parts`; with `parts` = 0 every sample is drawn. */
function exactness(parts) {
  if (parts === 0) return 'Every sample of the run is drawn.';
  const fewer = parts < 2000 ? ' (one 2000th if the page stays below 2 MB)' : '';
  return `The lines between drawn samples differ from the motion by at most one ${parts}th of its size${fewer}.`;
}

export class Constraints {
  constructor(scene, view) {
    Object.assign(this, {scene, view, cells: []});
    this.facts = new Map((scene.explained?.constraints ?? []).map((one) => [one.name, one]));
    const {explained} = scene;
    const rows = (explained?.constraints ?? []).reduce((sum, one) => sum + (one.rows?.length ?? 0), 0);
    this.element = h(
      'div',
      {class: 'cards'},
      explained
        ? h(
            'p',
            {},
            h('b', {}, String(explained.coordinates.length)),
            ` ${explained.coordinates.length === 1 ? 'coordinate' : 'coordinates'}, `,
            h('b', {}, String(rows)),
            ` constraint ${rows === 1 ? 'equation' : 'equations'} of rank `,
            h('b', {}, String(explained.rank)),
            ': ',
            h('b', {}, String(explained.degrees_of_freedom)),
            ` ${explained.degrees_of_freedom === 1 ? 'degree' : 'degrees'} of freedom.`,
          )
        : null,
      scene.constraints.length === 0 ? h('p', {}, 'The model has no constraints.') : null,
      scene.constraints.map((one) => this.card(one)),
      scene.reveals.map((one) => this.revealed(one)),
    );
  }
  /** Creates a card with the forces of a `reveal` statement. */
  revealed({name, on, torque, at, value, unit}) {
    const item = {constraint: name, on, at, value, unit, what: torque ? 'torque on' : 'force on'};
    const card = h(
      'article',
      {class: 'card'},
      h('h3', {}, this.swatch(name), name, ' ', h('code', {}, `reveal ${item.what} ${on}`)),
      h('p', {class: 'dim'}, 'forces of joints that are embedded in the coordinates'),
      this.table([item]),
    );
    this.paint(card, name);
    return card;
  }
  /** Creates a square button that switches the arrows of a constraint or `reveal` statement on and off. */
  swatch(name) {
    return h('button', {
      'class': 'swatch',
      'type': 'button',
      'aria-pressed': String(!this.view.hidden.has(name)),
      'title': `arrows of ${name}`,
      'aria-label': `arrows of ${name}`,
      'onclick': (event) => {
        const on = this.view.hidden.has(name);
        if (on) this.view.hidden.delete(name);
        else this.view.hidden.add(name);
        event.currentTarget.setAttribute('aria-pressed', String(on));
        this.view.show(this.view.time);
      },
    });
  }
  paint(card, name) {
    this.colours ??= [];
    this.colours.push(() => card.style.setProperty('--c', constraintColour(this.scene, name)));
    this.colours.at(-1)();
  }
  card({name, text, joint}) {
    const fact = this.facts.get(name),
      {scene} = this;
    const worst = scene.motions
      .map((motion) => motion.series.find((one) => one.group === 'residuals' && one.name === `residual(${name})`))
      .filter(Boolean)
      .reduce((most, one) => one.values.reduce((a, b) => (Math.abs(b) > a ? Math.abs(b) : a), most), 0);
    const line = [
      fact?.law ? `law ${fact.law}` : '',
      fact ? `${count(fact.rows.length, 'row')}, rank ${fact.rank}` : '',
      fact?.power ? (fact.power.does_work ? 'does work' : 'does no work') : '',
      `worst residual ${shown(worst, 3)}`,
    ]
      .filter(Boolean)
      .join(' · ');
    const items = [
      ...scene.forces.filter((one) => one.constraint === name).map((one) => ({...one, what: 'force on'})),
      ...scene.torques.filter((one) => one.constraint === name).map((one) => ({...one, what: 'torque on'})),
    ];
    const zeros = items.filter((one) => this.isZero(one));
    const shared = items
      .map((one) => ({
        of: `${one.what} ${one.on}`,
        parts: [
          ...new Set(
            scene.motions.filter((motion) => motion.has(one.value)).flatMap((motion) => motion.sharedParts(one.value)),
          ),
        ].sort(),
      }))
      .filter(({parts}) => parts.length > 0)
      .map(({of, parts}) => `${parts.map((k) => kComponents[k]).join(', ')} of the ${of}`);
    const card = h(
      'article',
      {class: 'card'},
      h('h3', {}, this.swatch(name), name, ' ', h('code', {}, joint ? `joint ${joint}` : text)),
      h('p', {class: 'dim'}, line),
      shared.length > 0
        ? h(
            'p',
            {class: 'notice'},
            h('b', {}, `Not unique: ${shared.join('; ')}. `),
            'Redundant constraints share these components in a way that mechanics does not determine. ' +
              'The motion and the sum are unaffected.',
          )
        : null,
      this.table(items.filter((one) => !zeros.includes(one))),
      zeros.length > 0
        ? h('p', {class: 'dim'}, `zero all the time: ${zeros.map((one) => `${one.what} ${one.on}`).join(', ')}`)
        : null,
      fact?.rows?.length
        ? h(
            'details',
            {},
            h('summary', {}, 'rows'),
            fact.rows.map((row) =>
              h(
                'p',
                {class: 'dim'},
                `${row.level} level, ${row.class}`,
                row.factor ? [' · ', h('code', {}, row.factor)] : null,
              ),
            ),
          )
        : null,
    );
    this.paint(card, name);
    return card;
  }
  /** Whether a force or torque is zero over all motions. */
  isZero({value, unit}) {
    const nothing = nothingBelow(this.scene, unit);
    return this.scene.motions
      .filter((motion) => motion.has(value))
      .every((motion) => sizes(motion, value).every((size) => !(size > nothing)));
  }
  table(items) {
    if (items.length === 0) return null;
    const body = h('tbody');
    for (const {motion, k} of this.scene.motions.map((one, i) => ({motion: one, k: i}))) {
      for (const item of items.filter(({value}) => motion.has(value))) {
        const cells = [0, 1, 2, 3].map(() => h('td'));
        this.cells.push({item: {...item, nothing: nothingBelow(this.scene, item.unit)}, motion, cells});
        const name = this.scene.motions.length > 1 ? `${item.on} (${motion.name})` : item.on;
        body.append(h('tr', {}, h('th', {scope: 'row'}, k >= 0 ? `${item.what} ${name}` : ''), cells));
      }
    }
    return h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', {scope: 'col'}, 'now'),
          [...kComponents, 'size'].map((text) => h('th', {scope: 'col'}, text)),
        ),
      ),
      body,
    );
  }
  show(time) {
    for (const {item, motion, cells} of this.cells) {
      const value = motion.forceAt(item, time),
        size = Math.hypot(...value),
        unique = motion.uniqueParts(item.value, time);
      [...value, size].forEach((x, k) => {
        const isOpen = k < 3 ? !unique[k] : unique.includes(false);
        cells[k].textContent =
          shown(Math.abs(x) < 1e-13 * size || size < item.nothing ? 0 : x) +
          (isOpen ? ' ≀' : '') +
          (k === 3 ? plainUnit(item.unit) : '');
        cells[k].title = isOpen ? 'not unique: redundant constraints share it' : '';
      });
    }
  }
  repaint() {
    this.colours?.forEach((paint) => paint());
  }
}

const kVerdicts = {'holds': ['✓', 'good'], 'broken': ['✕', 'bad'], 'does not apply': ['–', 'none']};
/** Begins the sentence over the list of the audit. */
function summary(lines) {
  const judged = lines.filter(({verdict}) => verdict !== 'does not apply'),
    good = judged.filter(({verdict}) => verdict === 'holds').length;
  if (good === judged.length)
    return `All ${count(good, 'identity', 'identities')} of mechanics that apply are satisfied`;
  return `${good} of ${count(judged.length, 'identity', 'identities')} of mechanics are satisfied`;
}

export function auditTab(scene, choose) {
  const lines = scene.audited?.lines;
  if (!lines)
    return h(
      'p',
      {class: 'dim'},
      scene.compared
        ? "There is no audit of a comparison: `vinculum audit` judges each law's motion by itself."
        : 'This page was written without an audit: `vinculum audit MODEL` judges the motion.',
    );
  const margin = ({worst, allowed}) =>
    worst > 0 ? `10${superscript(Math.max(0, Math.floor(Math.log10(allowed / worst))))} × below` : 'exactly 0';
  return h(
    'div',
    {},
    h(
      'p',
      {},
      `${summary(lines)}, each computed by a separate route, at ${scene.audited.samples} instants of the motion.`,
    ),
    h(
      'table',
      {class: 'audit'},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['', 'identity', 'worst', 'margin', 'when'].map((text) => h('th', {scope: 'col'}, text)),
        ),
      ),
      h(
        'tbody',
        {},
        lines.map((line) => {
          const [mark, tone] = kVerdicts[line.verdict] ?? ['?', 'none'],
            applies = line.verdict !== 'does not apply';
          return h(
            'tr',
            {class: tone},
            h(
              'td',
              {},
              h(
                'span',
                {'class': `verdict ${tone}`, 'title': line.verdict, 'role': 'img', 'aria-label': line.verdict},
                mark,
              ),
            ),
            h('td', {}, line.identity, h('div', {class: 'dim'}, applies ? line.where : line.reason)),
            h('td', {}, applies ? shown(line.worst, 3) : ''),
            h(
              'td',
              {class: 'dim'},
              !applies ? '' : line.verdict === 'holds' ? margin(line) : `allowed ${shown(line.allowed, 3)}`,
            ),
            h(
              'td',
              {},
              applies && Number.isFinite(line.t)
                ? h('button', {class: 'link', type: 'button', onclick: () => choose(line.t)}, `${shown(line.t, 3)} s`)
                : '',
            ),
          );
        }),
      ),
    ),
  );
}

/** Shows the output of the command `derive`, block by block. */
export function equationsTab(scene) {
  if (!scene.latex)
    return h('p', {class: 'dim'}, 'The equations are not on this page: `vinculum derive MODEL` writes them.');
  const body = scene.latex.replace(/^[\s\S]*?\\begin\{document\}/, '').replace(/\\end\{document\}[\s\S]*$/, '');
  const plain = (text) =>
    text
      .replace(/\\textasciicircum\{\}|\\\^\{\}/g, '^')
      .replace(/\\textasciitilde\{\}|\\~\{\}/g, '~')
      .replace(/\\textbackslash\{\}/g, '\\')
      .replace(/\\([_&%#${}])/g, '$1')
      .replace(/``|''/g, '"')
      .replace(/~/g, ' ')
      .replace(/\\[ ,;]/g, ' ');
  const formula = (tex, displayMode) => {
    const element = h(displayMode ? 'div' : 'span', {class: 'formula'});
    katex.render(tex, element, {displayMode, throwOnError: false, strict: 'ignore', trust: false});
    return element;
  };
  const inline = (text) =>
    text.split(/(\\texttt\{(?:[^{}]|\{\})*\}|\$[^$]*\$)/).map((part) => {
      if (part.startsWith('\\texttt{')) return h('code', {}, plain(part.slice(8, -1)));
      if (part.startsWith('$') && part.length > 2) return formula(part.slice(1, -1), false);
      return plain(part);
    });
  const holder = h('div', {class: 'equations'});
  const pattern =
    /\\begin\{(equation\*?|align\*?|verbatim)\}([\s\S]*?)\\end\{\1\}|\\(?:sub)*section\*?\{((?:[^{}]|\{[^{}]*\})*)\}/g;
  let last = 0;
  const text = (part) =>
    part
      .split(/\n\s*\n/)
      .map((one) => one.replace(/\\noindent\s?/g, '').trim())
      .filter(Boolean)
      .forEach((one) => holder.append(h('p', {}, inline(one))));
  for (const match of body.matchAll(pattern)) {
    text(body.slice(last, match.index));
    last = match.index + match[0].length;
    if (match[3] !== undefined) holder.append(h('h3', {}, plain(match[3])));
    else if (match[1] === 'verbatim') holder.append(h('pre', {}, match[2]));
    else
      holder.append(
        formula(match[1].startsWith('align') ? `\\begin{aligned}${match[2]}\\end{aligned}` : match[2].trim(), true),
      );
  }
  text(body.slice(last));
  return holder;
}

export function modelTab(scene, choose) {
  const {model, motions, events, compared} = scene;
  const facts = [
    ['instants drawn', motions.map((motion) => `${motion.t.length} of ${motion.samples}`).join(', ')],
    ['made by', `vinculum ${scene.version}`],
  ];
  return h(
    'div',
    {},
    compared
      ? h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ['motion', 'coordinates', 'speeds', 'steps'].map((text) => h('th', {scope: 'col'}, text)),
            ),
          ),
          h(
            'tbody',
            {},
            compared.variants.map((one) =>
              h(
                'tr',
                {},
                h('th', {scope: 'row'}, one.name),
                h('td', {}, one.not_run ?? shown(one.groups?.coordinates?.largest, 3)),
                h('td', {}, shown(one.groups?.speeds?.largest, 3)),
                h('td', {}, String(one.steps ?? '–')),
              ),
            ),
          ),
        )
      : null,
    compared ? h('p', {class: 'dim'}, 'Largest distances from the first motion, relative to its size.') : null,
    model.sources.length ? h('p', {}, 'After ', model.sources.join('; ')) : null,
    h('h3', {}, 'Events'),
    motions[0].clocks.map((clock) => h('p', {class: 'dim'}, `${textOfClock(clock)}.`)),
    events.length === 0
      ? motions[0].clocks.length === 0
        ? h('p', {class: 'dim'}, 'None.')
        : null
      : h(
          'ul',
          {class: 'events'},
          events
            .slice(0, 200)
            .map((event) =>
              h(
                'li',
                {},
                h('button', {class: 'link', type: 'button', onclick: () => choose(event.t)}, `${shown(event.t)} s`),
                ` ${sentence(event)}${event.motion ? ` (${event.motion})` : ''}`,
              ),
            ),
        ),
    h('h3', {}, 'Text'),
    h(
      'pre',
      {class: 'source', tabindex: '0'},
      model.text ? highlighted(model.text, scene.words) : 'The model was built by a program.',
    ),
    h('h3', {}, 'This page'),
    h(
      'dl',
      {},
      facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
    h('p', {class: 'dim'}, `${exactness(scene.parts)} trajectory.csv of \`run\` has full precision.`),
    h(
      'details',
      {},
      h('summary', {}, 'licenses of the libraries in this page'),
      h('pre', {}, document.getElementById('licences').content.textContent),
    ),
  );
}
