// node page/thumbnails.mjs MOTIONS TARGET [COUNT]: makes small pictures for the gallery of the site. For each page
// MOTIONS/NAME.html with a drawing, or for the first COUNT pages, it writes TARGET/NAME.png, the drawing at 35 % of the
// motion. Needs Debian's chromium. If a page fails, it gets no picture, and the gallery shows its plot.
import {existsSync, readdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {browserPath} from './test/pages.mjs';

const kPart = 0.35; // fraction of the motion at which the picture is taken
const [motions, target, count = Infinity] = process.argv.slice(2);
if (!target || !browserPath || !existsSync(motions)) {
  const usage = 'usage: node thumbnails.mjs MOTIONS TARGET [COUNT]';
  console.error(target ? 'no Chromium (Debian: chromium), or no motions' : usage);
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const pages = readdirSync(motions).filter((one) => one.endsWith('.html'));
for (const file of pages.slice(0, Number(count))) {
  // wide enough for the two columns of the page; the drawing is in the left column
  const page = await browser.newPage({viewport: {width: 900, height: 460}, reducedMotion: 'reduce'});
  try {
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
    if (isDrawn) await page.locator('.stage').screenshot({path: join(target, file.replace(/\.html$/, '.png'))});
  } catch (error) {
    console.error(`${file}: ${error.message}`);
  }
  await page.close();
}
await browser.close();
