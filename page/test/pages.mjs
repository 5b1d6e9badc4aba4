// Pages of models for the tests, as the command writes them, and forces at given instants as the command computes them.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const command = process.env.VINCULUM_COMMAND ?? join(root, 'build/release/bin/vinculum');
const folder = process.env.VINCULUM_PAGES ?? mkdtempSync(join(tmpdir(), 'vinculum-pages-'));

const vinculum = (...words) =>
  execFileSync(command, words, {encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore']});
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** The page of a model in the folder models, and its data. */
export function pageOf(name) {
  const out = join(folder, name);
  vinculum('show', join(root, 'models', `${name}.vin`), '-o', out);
  return read(join(out, 'report.html'));
}
/** The page of a model whose text a test states, and its data. `files` are written beside the model. */
export function pageOfText(name, text, files = {}) {
  const out = join(folder, name),
    model = join(folder, `${name}.vin`);
  writeFileSync(model, text);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  vinculum('show', model, '-o', out);
  return read(join(out, 'report.html'));
}
export function comparisonOf(name, text, laws) {
  const out = join(folder, name),
    model = join(folder, `${name}.vin`);
  writeFileSync(model, text);
  vinculum('compare', model, '--laws', laws, '--report', '-o', out);
  return read(join(out, 'report.html'));
}
function read(path) {
  const text = readFileSync(path, 'utf8');
  const json = JSON.parse(/<script type="application\/json" id="scene">([\s\S]*?)<\/script>/.exec(text)[1]);
  return {path, bytes: Buffer.byteLength(text), json};
}

/**
 * Forces force(c, P) in N of every arrow of a scene at the given times, and torque(c, B) of every arc. The command runs
 * the model with one output for each of them.
 */
export function forcesAt(name, json, times) {
  const text = readFileSync(join(root, 'models', `${name}.vin`), 'utf8'),
    frame = /frame (\w+) newtonian/.exec(text)[1];
  const asked = [
    ...json.forces.map(({constraint, on}) => `force(${constraint}, ${on})`),
    ...json.torques.map(({constraint, on}) => `torque(${constraint}, ${on})`),
  ];
  const probes = asked.map((vector, k) => `output probe_${k} = ${vector} in ${frame}`);
  const model = join(folder, `${name}_probed.vin`);
  writeFileSync(model, `${text.replace(/^expect .*(?:\n[ \t]+.*)*/gm, '')}\n${probes.join('\n')}\n`);
  const {samples} = JSON.parse(
    vinculum('run', model, '--json', '--at', times.join(','), '-o', join(folder, `${name}_probed`)),
  );
  return samples.map(({t, outputs}) => {
    const all = asked.map((_, k) => outputs[`probe_${k}`]);
    return {t, forces: all.slice(0, json.forces.length), torques: all.slice(json.forces.length)};
  });
}

/** Texts whose contrast to their background is below 4.5 : 1 (WCAG 1.4.3). Runs inside the page. */
export function lowContrasts() {
  const parse = (text) => {
    const numbers = (text.match(/[\d.]+/g) ?? []).map(Number);
    return text.startsWith('color(')
      ? [...numbers.slice(0, 3).map((x) => 255 * x), numbers[3] ?? 1]
      : [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
  };
  const luminance = ([r, g, b]) =>
    [r, g, b]
      .map((x) => x / 255)
      .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
      .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
  const over = (top, below) => below.map((x, k) => top[k] * top[3] + x * (1 - top[3]));
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const low = [];
  for (const element of document.querySelectorAll('#app *')) {
    const box = element.getBoundingClientRect();
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === 3 && node.textContent.trim())
      .map((node) => node.textContent.trim())
      .join(' ');
    if (!text || box.width === 0 || box.height === 0 || element.closest('.unseen, dialog:not([open]), svg, .katex'))
      continue;
    const below = ground(element),
      ink = over(parse(getComputedStyle(element).color), below);
    const [a, b] = [luminance(ink), luminance(below)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(`${text.slice(0, 40)}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return low;
}
