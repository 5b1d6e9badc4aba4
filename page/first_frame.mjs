// node page/first_frame.mjs [MODEL…]: measures how soon a page is shown after it is opened (docs/performance.md).
// VINCULUM_COMMAND is the command. Needs Debian's chromium. Headless browsers open each page ten times, and the least
// of each time is printed: parsed (the page's script begins), seen (first paint), drawn (first frame of the motion),
// and the part of the latter that the page's own script takes.
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {browserPath, pageOf} from './test/pages.mjs';

const kOpened = 10;
const kWays = {
  'graphics in software': ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  'without WebGL': ['--disable-gpu', '--disable-3d-apis'],
};

const models = process.argv.slice(2);
if (!browserPath) {
  console.error('no Chromium (Debian: chromium)');
  process.exit(2);
}
const milliseconds = (values) => `${Math.min(...values).toFixed(0)} ms`;
for (const model of models.length ? models : ['rolling_disk', 'rattleback', 'four_bar', 'manipulator']) {
  const {path, bytes} = pageOf(model);
  for (const [way, words] of Object.entries(kWays)) {
    const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox', ...words]});
    const parsed = [],
      seen = [],
      drawn = [],
      scripted = [];
    for (let k = 0; k < kOpened; ++k) {
      const page = await browser.newPage({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce'});
      page.setDefaultTimeout(120_000);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Performance.enable');
      await page.addInitScript(() => {
        const look = () => {
          if (window.vinculum?.view.isReady) window.drawnAt = performance.now();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto(pathToFileURL(path).href);
      await page.waitForFunction(() => window.drawnAt, null, {polling: 20});
      const [paint, at, interactive] = await page.evaluate(() => [
        performance.getEntriesByType('paint')[0]?.startTime ?? NaN,
        window.drawnAt,
        performance.getEntriesByType('navigation')[0].domInteractive,
      ]);
      const {metrics} = await devtools.send('Performance.getMetrics');
      parsed.push(interactive);
      seen.push(paint);
      drawn.push(at);
      scripted.push(1000 * metrics.find(({name}) => name === 'ScriptDuration').value);
      await page.close();
    }
    console.log(
      `${model}, ${(bytes / 1e6).toFixed(2)} MB, ${way}: parsed ${milliseconds(parsed)}, ` +
        `seen ${milliseconds(seen)}, drawn ${milliseconds(drawn)}, script ${milliseconds(scripted)}`,
    );
    await browser.close();
  }
}
