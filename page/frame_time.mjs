// node page/frame_time.mjs [BODIES]: measures the time of the page's own script per frame of a motion, without the time
// of the graphics (docs/performance.md). The model is a tree of bodies, 60 unless stated, in six branches.
// VINCULUM_COMMAND is the command. Needs Debian's chromium. The median and the greatest of 300 frames are printed.
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {browserPath, pageOfText} from './test/pages.mjs';

const kFrames = 300;
const kBranches = 6;

/** The text of a tree: each branch is a chain of hinges, with axes z and x in turns. */
function tree(count) {
  const lines = [];
  for (let k = 0; k < count; ++k) {
    const parent = k < kBranches ? null : k - kBranches;
    const [frame, point] = parent === null ? ['N', 'O'] : [`F${parent}`, `P${parent}`];
    lines.push(
      `coord a${k} [rad]`,
      `frame F${k} = ${frame} rotated a${k} about ${k % 2 ? 'x' : 'z'}`,
      `body b${k} frame F${k} mass 1 [kg] inertia (0.01, 0.02, 0.03) [kg*m^2] at ${point} - 0.1 [m]*F${k}.y`,
      `point P${k} on b${k} = ${point} - 0.2 [m]*F${k}.y`,
    );
  }
  const starts = [...Array(count).keys()].map((k) => `a${k} = ${(0.3 * Math.sin(k)).toFixed(3)}`);
  const bearings = [...Array(kBranches).keys()].map((k) => `reveal r${k}: force on b${k} along N.x, N.y, N.z`);
  return `model tree  "A tree of ${count} bodies"
frame N newtonian
point O fixed in N
${lines.join('\n')}
gravity -9.81 [m/s^2]*N.y
${bearings.join('\n')}
start ${starts.join(', ')}
run 1 [s] tolerance 1e-6
`;
}

if (!browserPath) {
  console.error('no Chromium (Debian: chromium)');
  process.exit(2);
}
const count = Number(process.argv[2] ?? 60);
const {path, bytes} = pageOfText('tree', tree(count));
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce'});
page.setDefaultTimeout(120_000);
await page.goto(pathToFileURL(path).href);
await page.waitForFunction(() => window.vinculum?.view.isReady);
const times = await page.evaluate((frames) => {
  const {vinculum} = window,
    {start, end} = vinculum.scene;
  vinculum.view.renderer.render = () => {};
  return [...Array(frames).keys()].map((k) => {
    vinculum.time = start + ((end - start) * k) / frames;
    const before = performance.now();
    vinculum.show(k % 9 !== 0); // values of plots are written in every ninth frame, as while playing
    return performance.now() - before;
  });
}, kFrames);
times.sort((a, b) => a - b);
const [median, most] = [times[Math.floor(kFrames / 2)], times.at(-1)].map((time) => time.toFixed(1));
console.log(
  `tree of ${count} bodies, ${(bytes / 1e6).toFixed(2)} MB: median ${median} ms, greatest ${most} ms per frame`,
);
await browser.close();
