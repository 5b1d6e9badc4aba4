// node page/thumbnails.mjs MOTIONS TARGET [COUNT] [--webp WIDTH]: makes small pictures for the galleries. For each page
// MOTIONS/NAME.html with a drawing, or for the first COUNT pages, it writes TARGET/NAME.png, the drawing at 35 % of the
// motion; for each MOTIONS/NAME.svg, a plot of `run --svg`, the upper part of the plot. With --webp it writes
// TARGET/NAME.webp, WIDTH pixels wide. Needs Debian's chromium. If a page fails, it gets no picture, and the gallery of
// the site shows its plot.
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {browserPath} from './test/pages.mjs';

const kPart = 0.35; // fraction of the motion at which the picture is taken
const kQuality = 0.8; // of WebP: no artefacts at the edges of a drawing
const {positionals, values} = parseArgs({allowPositionals: true, options: {webp: {type: 'string'}}});
const [motions, target, count = Infinity] = positionals;
if (!target || !browserPath || !existsSync(motions)) {
  const usage = 'usage: node thumbnails.mjs MOTIONS TARGET [COUNT] [--webp WIDTH]';
  console.error(target ? 'no Chromium (Debian: chromium), or no motions' : usage);
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

/** Scales a picture and writes it as WebP, by the canvas of a page. */
async function writeWebp(page, png, file) {
  const url = await page.evaluate(
    async ([data, width, quality]) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${data}`;
      await picture.decode();
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.round((picture.height / picture.width) * width);
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', quality);
    },
    [png.toString('base64'), Number(values.webp), kQuality],
  );
  writeFileSync(file, Buffer.from(url.split(',')[1], 'base64'));
}

/** Writes a picture as PNG or WebP. */
async function write(page, png, name) {
  if (values.webp) await writeWebp(page, png, `${join(target, name)}.webp`);
  else writeFileSync(`${join(target, name)}.png`, png);
}

/** The drawing of a page of `show`; null if it has none. */
async function drawingOf(page, file) {
  await page.goto(`${pathToFileURL(resolve(motions, file)).href}#theme=light&tab=model`, {timeout: 60_000});
  await page.waitForFunction(() => window.vinculum?.view.isReady, null, {polling: 100, timeout: 60_000});
  const isDrawn = await page.evaluate((part) => {
    const {vinculum} = window,
      {scene, view} = vinculum;
    if (!view.renderer) return false;
    document.head.append(
      Object.assign(document.createElement('style'), {
        textContent: '.labels, .leaders, .bars, .triad, .on-stage, .message { display: none !important; }',
      }),
    );
    vinculum.seek(scene.start + part * (scene.end - scene.start));
    return true;
  }, kPart);
  return isDrawn ? page.locator('.stage').screenshot() : null;
}

/** The upper part of a plot, with its first panel. */
async function plotOf(page, file) {
  await page.setContent(`<body style="margin: 0">${readFileSync(join(motions, file), 'utf8')}</body>`);
  return page.screenshot({clip: {x: 0, y: 0, width: 900, height: 460}});
}

const files = readdirSync(motions).filter((one) => /\.(html|svg)$/.test(one));
for (const file of files.slice(0, Number(count))) {
  // wide enough for the two columns of the page; the drawing is in the left column
  const page = await browser.newPage({viewport: {width: 900, height: 460}, reducedMotion: 'reduce'});
  try {
    const png = await (file.endsWith('.svg') ? plotOf : drawingOf)(page, file);
    if (png) await write(page, png, file.replace(/\.\w+$/, ''));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
  }
  await page.close();
}
await browser.close();
