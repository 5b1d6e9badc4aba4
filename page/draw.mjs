// node page/draw.mjs TARGET: draws the mechanisms of Figures 1 to 11 of the thesis from their models, with the page of
// `show`: TARGET/thesis_1.png and so on. VINCULUM_COMMAND is the command. Needs Debian's chromium
// (tools/draw_figures.sh).
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {browserPath, pageOf} from './test/pages.mjs';

// [figure, model, s]
const kFigures = [
  ['1', 'joint_prismatic', 0.4],
  ['2', 'joint_cylindrical', 0.4],
  ['3', 'joint_ball_on_ball', 0.5],
  ['4', 'particle_in_body', 0.6],
  ['5a', 'joint_revolute', 0.5],
  ['5b', 'joint_universal', 0.6],
  ['5c', 'joint_spherical', 0.5],
  ['6', 'rattleback', 2],
  ['7', 'panes_and_blade', 1.2],
  ['8', 'rod_and_sleeve', 0.8],
  ['9', 'kepler', 1],
  ['10', 'arm_open', 0.3],
  ['11', 'manipulator', 6],
];

const target = process.argv[2];
if (!target || !browserPath) {
  console.error(target ? 'no Chromium (Debian: chromium)' : 'usage: node draw.mjs TARGET');
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const only = process.argv.slice(3);
for (const [figure, model, time] of kFigures.filter(([one]) => only.length === 0 || only.includes(one))) {
  const page = await browser.newPage({viewport: {width: 1180, height: 640}});
  page.setDefaultTimeout(600_000);
  await page.goto(`${pathToFileURL(pageOf(model).path).href}#theme=light&tab=model&t=${time}`);
  await page.waitForFunction(() => window.vinculum?.view.isReady, null, {polling: 200});
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate(() => window.vinculum.savePicture()),
  ]);
  await saved.saveAs(join(target, `thesis_${figure}.png`));
  console.log(join(target, `thesis_${figure}.png`));
  await page.close();
}
await browser.close();
