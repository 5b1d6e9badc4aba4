// node build.mjs FOLDER: builds the pages without data, each as one self-contained file. The content security policy of
// a page allows only its own script, identified by the script's hash.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
if (!folder) {
  console.error('usage: node build.mjs FOLDER');
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
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function licenceOf(name) {
  const source = join(here, 'node_modules', name);
  const {version} = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const file = readdirSync(source).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version}\n\n${readFileSync(join(source, file), 'utf8').trim()}`;
}

/** Builds one page. `data` are the elements that a program fills with the data of the page. */
async function buildPage({file, entry, style, data, packages}) {
  const script = (
    await build({...common, entryPoints: [entry], format: 'iife', target: 'es2022', charset: 'utf8'})
  ).outputFiles[0].text.replaceAll('</script', '<\\/script');
  const styles = (
    await build({...common, entryPoints: [style], loader: {'.woff2': 'dataurl', '.woff': 'empty', '.ttf': 'empty'}})
  ).outputFiles[0].text.replace(
    /@font-face\{[^}]*KaTeX_(?:AMS|Caligraphic|Fraktur|SansSerif|Script|Typewriter)[^}]*\}/g,
    '',
  ); // font faces that the equations of `derive` never use
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  const parts = {script, styles, hash, data, licences: escaped(packages.map(licenceOf).join('\n\n––––\n\n'))};
  const page = readFileSync(join(here, 'src/page.html'), 'utf8').replace(
    /@(script|styles|hash|data|licences)@/g,
    (_, name) => parts[name],
  );
  writeFileSync(join(folder, file), page);
}

mkdirSync(folder, {recursive: true});
await buildPage({
  file: 'page.html',
  entry: 'src/main.js',
  style: 'src/style.css',
  data: `<script type="application/json" id="scene">@vinculum-scene@</script>
<script type="text/plain" id="columns">@vinculum-columns@</script>`,
  packages: ['three', 'uplot', 'katex'],
});
await buildPage({
  file: 'study.html',
  entry: 'src/study.js',
  style: 'src/study.css',
  data: '<script type="application/json" id="study">@vinculum-study@</script>',
  packages: ['uplot'],
});
