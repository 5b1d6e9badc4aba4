// node build.mjs OUT: builds the page without a scene as one self-contained file. Its content security policy allows
// only its own script, identified by the script's hash.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error('usage: node build.mjs OUT');
  process.exit(2);
}

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  legalComments: 'none',
  logLevel: 'warning',
};
const script = (
  await build({...common, entryPoints: ['src/main.js'], format: 'iife', target: 'es2022', charset: 'utf8'})
).outputFiles[0].text.replaceAll('</script', '<\\/script');
const styles = (
  await build({
    ...common,
    entryPoints: ['src/style.css'],
    loader: {'.woff2': 'dataurl', '.woff': 'empty', '.ttf': 'empty'},
  })
).outputFiles[0].text.replace(
  /@font-face\{[^}]*KaTeX_(?:AMS|Caligraphic|Fraktur|SansSerif|Script|Typewriter)[^}]*\}/g,
  '',
); // font faces that the equations of `derive` never use
const hash = createHash('sha256').update(script, 'utf8').digest('base64');
const licences = ['three', 'uplot', 'katex'].map((name) => {
  const folder = join(here, 'node_modules', name);
  const {version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
});
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const parts = {script, styles, hash, licences: escaped(licences.join('\n\n––––\n\n'))};
const page = readFileSync(join(here, 'src/page.html'), 'utf8').replace(
  /@(script|styles|hash|licences)@/g,
  (_, name) => parts[name],
);
mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, page);
