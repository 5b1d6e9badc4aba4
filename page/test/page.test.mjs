// Uses pages as a reader does, in a headless browser: node --test page/test (page/test.sh prepares it).
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {parts as highlightedParts} from '../src/highlight.js';
import {shown as written} from '../src/numbers.js';
import {csvOf} from '../src/numbers_file.js';
import {nothingBelow} from '../src/rounding.js';
import {browserPath, comparisonOf, forcesAt, lowContrasts, pageOf, pageOfText} from './pages.mjs';

const kBlade = `model blade  "A blade on ice under two laws"
frame N newtonian
point O fixed in N
param m = 1 [kg], J = 0.2 [kg*m^2]
coord x, y [m], h [rad]
frame B = N rotated h about z
body skate frame B mass m inertia (J/2, J/2, J) at O + x*N.x + y*N.y
gravity -9.81 [m/s^2]*N.z
force on skate = 0.4 [N]*N.x
constraint edge: dot(vel(skate), B.y) = 0
start x' = 1, h' = 0.7
run 4 [s]
`;
const kLinkage = `model linkage  "A crank, a plate and a load on a rope"
frame N newtonian
point O fixed in N
coord a, b, c [rad]
frame A = N rotated a about z
frame B = N rotated b about z
frame C = N rotated c about z
body crank frame A mass 1 [kg] inertia (0.02, 0.02, 0.04) [kg*m^2] at O + 0.2 [m]*A.x
point P = O + 0.4 [m]*A.x
body plate frame B mass 2 [kg] inertia (0.1, 0.1, 0.2) [kg*m^2] at P + 0.3 [m]*B.x + 0.2 [m]*B.y
point Q on plate = P + 0.6 [m]*B.x
particle load mass 1 [kg] at Q + 0.5 [m]*C.x
gravity -9.81 [m/s^2]*N.y
reveal bearing: force on crank along N.x, N.y
output still = 3 [m]
start a = -1, b = -0.5, c = -1
run 2 [s]
`;
const kBrake = `model brake  "A brake that holds a sledge for a while, a counter and a sampled force"
frame N newtonian
point O fixed in N
coord x, y [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y
state u [N] every 0.25 [s] = 1 [N] - 3 [N/m]*y
force on P = 2 [N]*N.x + u*N.y
state passes' = 0
constraint brake: dot(vel(P), N.x) = 0.5 [m/s]
    when 1 [s] <= t and t < 2 [s]
constraint rest: dot(vel(P), N.y) = 0
    when t > 9 [s]
event half: x = 1.2 [m] rising set passes = passes + 1
event tick: every 0.001 [s] record
start x = 0, y = 0
run 4 [s]
`;
const kBouncing = `model bouncing  "A ball that falls on a rough incline"
frame N newtonian
point O fixed in N
param m = 0.5 [kg], r = 0.1 [m], g = 9.81 [m/s^2], e = 0.6 [1], mu = 0.05 [1], b = 0.3
coord x, z [m], th
frame B = N rotated th about y
body ball frame B mass m inertia (0.002, 0.002, 0.002) [kg*m^2] at O + x*N.x + z*N.z
gravity -g*N.z
joint slope: contact between O of N and ball of ball surface plane axis sin(b)*N.x + cos(b)*N.z surface2 sphere(r)
    restitution e
    friction mu = mu
start x = 0, z = 0.6 [m]
run 0.6 [s]
`;
const kFlat = `model flat  "A plate on a pin, in a plane, and a force that is zero"
frame N newtonian
point O fixed in N
coord x, y [m], a [rad]
frame B = N rotated a about z
body plate frame B mass 2 [kg] inertia (0.1, 0.1, 0.2) [kg*m^2] at O + x*N.x + y*N.y
point P on plate = center(plate) - 0.5 [m]*B.x
joint pin: revolute between O of N and P of plate axis N.z
gravity -9.81 [m/s^2]*N.y
output noise = 1e-13 [N]*sin(3*t/1 [s])
output height = dot(pos(plate, O), N.y)
output moment = dot(torque(pin, plate), N.z)
start a = 0.2, x ~ 0.49, y ~ 0.1
run 1 [s]
`;
const kTwice = `model twice  "A load on two ropes of the same length"
frame N newtonian
point O fixed in N
coord x, y, z [m]
particle load mass 1 [kg] at O + x*N.x + y*N.y + z*N.z
gravity -9.81 [m/s^2]*N.y
constraint rope: norm(pos(load, O)) = 1 [m]
constraint spare: norm(pos(load, O)) = 1 [m]
constraint guide: z = 0
start x = 0.6, y ~ -0.8
run 1 [s]
`;
const kStated = `model stated  "What a view may state"
frame N newtonian
point O fixed in N
coord a, b [rad], x [m]
frame A = N rotated a about z
frame B = N rotated b about y
point C = O + x*N.x
particle cart mass 3 [kg] at C
body arm frame A mass 1 [kg] inertia (0.01, 0.02, 0.02) [kg*m^2] at C + 0.5 [m]*A.x
point E on arm = C + 1 [m]*A.x
body tip frame B mass 0.5 [kg] inertia (0.01, 0.02, 0.03) [kg*m^2] at E - 0.3 [m]*N.y
output height = dot(pos(E, O), N.y)
output way = x
view {
    camera follow tip
    capsule C E radius 2 [cm] color "#ff8800"
    shape arm = capsule(4 [cm], 30 [cm], axis x) colour blue
    mesh "part.stl" on tip scale 1 [mm] color green
    label E "first"
    label E "second"
    label E "third <b>"
    label E "fourth"
}
start a = -0.4, b = 0.2, b' = 1, x = 0, x' = 8
run 2 [s]
`;
const kPart = `solid part
facet normal 0 0 1 outer loop vertex -200 -100 0 vertex 200 -100 0 vertex 200 100 50 endloop endfacet
facet normal 0 0 1 outer loop vertex -200 -100 0 vertex 200 100 50 vertex -200 100 50 endloop endfacet
endsolid part
`;
const all = ['rolling_disk', 'four_bar', 'rattleback', 'stick_slip_oscillator'].concat(
  process.env.VINCULUM_PAGES_ALL ? ['manipulator'] : [],
);
const shots = process.env.VINCULUM_SHOTS;
let browser;
const kPatience = 240_000; // ms: software rendering on a busy machine is slow

before(async () => {
  browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
});
after(() => browser?.close());

/** Opens a page and records its errors, warnings and requests; none of these may occur. */
async function open(path, {width = 1280, height = 800, hash = '', reducedMotion = 'reduce'} = {}) {
  const page = await browser.newPage({viewport: {width, height}, reducedMotion});
  page.setDefaultTimeout(kPatience);
  page.wrong = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()))
      page.wrong.push(message.text());
  });
  page.on('pageerror', (error) => page.wrong.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(pathToFileURL(path).href))
      page.wrong.push(`request ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href + hash);
  await page.waitForFunction(() => window.vinculum?.plots.madeFor && window.vinculum.view.isReady);
  return page;
}
const pixels = (page) =>
  page.evaluate(() => {
    const copy = document.createElement('canvas');
    Object.assign(copy, {width: 200, height: 200});
    const pen = copy.getContext('2d');
    pen.drawImage(window.vinculum.view.canvas, 0, 0, 200, 200);
    const seen = new Set(),
      {data} = pen.getImageData(0, 0, 200, 200);
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 0) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });
/** Vector from tail to tip of every drawn arrow, read from the meshes, in scene units. */
const drawnArrows = (page, time) =>
  page.evaluate((t) => {
    const {vinculum} = window;
    vinculum.seek(t);
    return vinculum.view.drawn.flatMap(({arrows}) =>
      arrows.map(({item, drawn, size}) => {
        drawn.group.updateWorldMatrix(true, true);
        const tip = drawn.head.getWorldPosition(drawn.direction.clone()),
          tail = drawn.group.getWorldPosition(drawn.direction.clone());
        return {
          value: item.value,
          size,
          isShown: drawn.group.visible && drawn.head.visible,
          isCut: vinculum.view.forceScale.isCut(size),
          along: tip.sub(tail).toArray(),
        };
      }),
    );
  }, time);

/** Sweep and axis of every drawn arc. */
const drawnArcs = (page, time) =>
  page.evaluate((t) => {
    const {vinculum} = window;
    vinculum.seek(t);
    return vinculum.view.drawn.flatMap(({arcs}) =>
      arcs.map(({item, drawn, size}) => {
        drawn.group.updateWorldMatrix(true, true);
        const axis = drawn.direction.clone().set(0, 0, 1).transformDirection(drawn.group.matrixWorld);
        return {
          value: item.value,
          size,
          isShown: drawn.group.visible,
          sweep: drawn.sweep,
          largest: vinculum.view.torqueScale.largest,
          axis: axis.toArray(),
        };
      }),
    );
  }, time);

for (const name of all) {
  describe(name, () => {
    let made;
    before(() => {
      made = pageOf(name);
    });

    test('opens without an error, a request or an empty drawing, below 2 MB', async (t) => {
      const page = await open(made.path);
      const first = await page.evaluate(() => performance.now());
      t.diagnostic(
        `${name}: ${(made.bytes / 1e6).toFixed(2)} MB, usable ${(first / 1000).toFixed(2)} s after it was opened`,
      );
      assert.ok(made.bytes < 2e6, `${made.bytes} bytes`);
      assert.ok((await pixels(page)) > 12);
      for (const tab of ['Constraints', 'Audit', 'Equations', 'Model', 'Plots'])
        await page.getByRole('tab', {name: tab}).click();
      assert.equal(await page.locator('.katex-error').count(), 0);
      assert.deepEqual(page.wrong, []);
      await page.close();
    });

    test('draws every arrow as force() is at the instant and every arc as torque(), to 1 %', async () => {
      const {json} = made,
        page = await open(made.path);
      const end = await page.evaluate(() => window.vinculum.scene.end);
      const times = [0.137, 0.439, 0.82].map((part) => Number((part * end).toPrecision(4)));
      let compared = 0;
      for (const {t, forces, torques} of forcesAt(name, json, times)) {
        const arcs = await drawnArcs(page, t);
        json.torques.forEach((item, k) => {
          const size = Math.hypot(...torques[k]),
            arc = arcs.find(({value}) => value === item.value);
          assert.ok(
            Math.abs(arc.size - size) <= 0.01 * size + 1e-3 * arc.largest,
            `${item.value} at ${t}: ${arc.size} for ${size}`,
          );
          if (!arc.isShown || size < 0.02 * arc.largest) return;
          assert.ok(
            Math.abs(arc.sweep - (((5 * Math.PI) / 3) * size) / arc.largest) <= 0.01 * arc.sweep,
            `${item.value} at ${t}: sweep ${arc.sweep} for ${size} of ${arc.largest}`,
          );
          const cosine = arc.axis.reduce((sum, x, j) => sum + x * torques[k][j], 0) / size;
          assert.ok(cosine > Math.cos(0.01), `${item.value} at ${t}: off by ${Math.acos(cosine)} rad`);
          ++compared;
        });
        const largest = Math.max(...forces.map((force) => Math.hypot(...force)));
        const drawn = await drawnArrows(page, t),
          scale = await page.evaluate(() => 0.42 / window.vinculum.view.forceScale.typical);
        json.forces.forEach((item, k) => {
          const size = Math.hypot(...forces[k]),
            arrow = drawn.find(({value}) => value === item.value);
          assert.ok(
            Math.abs(arrow.size - size) <= 0.01 * size + 1e-3 * largest,
            `${item.value} at ${t}: ${arrow.size} for ${size}`,
          );
          if (!arrow.isShown || arrow.isCut || size < 0.02 * largest) return;
          const length = Math.hypot(...arrow.along);
          assert.ok(
            Math.abs(length - scale * size) <= 0.01 * scale * size,
            `${item.value} at ${t}: length ${length} for ${scale * size}`,
          );
          const cosine = arrow.along.reduce((sum, x, j) => sum + x * forces[k][j], 0) / (length * size);
          assert.ok(cosine > Math.cos(0.01), `${item.value} at ${t}: off by ${Math.acos(cosine)} rad`);
          ++compared;
        });
      }
      assert.ok(compared > 0);
      await page.close();
    });

    test('can be read at 400 and 1280 pixels, dark and light', async () => {
      for (const [width, theme] of [
        [1280, 'light'],
        [1280, 'dark'],
        [400, 'light'],
        [400, 'dark'],
      ]) {
        const page = await open(made.path, {width, hash: `#theme=${theme}&t=1.1`});
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${width} px: wider than the window`,
        );
        for (const tab of ['Plots', 'Constraints', 'Audit', 'Model']) {
          await page.getByRole('tab', {name: tab}).click();
          assert.deepEqual(await page.evaluate(lowContrasts), [], `${width} px, ${theme}, ${tab}`);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${width} px, ${tab}`,
          );
        }
        if (shots) {
          mkdirSync(shots, {recursive: true});
          await page.getByRole('tab', {name: 'Plots'}).click();
          await page.screenshot({path: join(shots, `${name}_${width}_${theme}.png`)});
        }
        assert.deepEqual(page.wrong, []);
        await page.close();
      }
    });
  });
}

describe('a reader', () => {
  let made;
  before(() => {
    made = pageOf('rolling_disk');
  });
  const time = (page) => page.evaluate(() => window.vinculum.time);
  const shown = (page) => page.evaluate(() => window.vinculum.view.arrows().filter(({isShown}) => isShown).length);

  test('plays, steps and leaps by keys', async () => {
    const page = await open(made.path);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.vinculum.time > 0.2);
    await page.keyboard.press('Space');
    const stopped = await time(page);
    await page.waitForTimeout(120);
    assert.equal(await time(page), stopped);
    await page.keyboard.press('ArrowRight');
    const on = await time(page);
    assert.ok(on > stopped);
    await page.keyboard.press('Shift+ArrowLeft');
    assert.ok((await time(page)) < on);
    await page.keyboard.press('End');
    assert.equal(await time(page), 10);
    await page.keyboard.press('Home');
    assert.equal(await time(page), 0);
    await page.keyboard.press(']');
    assert.equal(await page.getByLabel('pace').inputValue(), '2');
    for (const key of ['f', '2', '3', '4', '1', 'p', 'p', 'c', 'l', 'b', 't', 'z', '+', '-', '?'])
      await page.keyboard.press(key);
    assert.ok(await page.getByRole('dialog').isVisible());
    await page.keyboard.press('Escape');
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test('switches arrows off, all and one alone', async () => {
    const page = await open(made.path);
    assert.equal(await shown(page), 1);
    await page.getByRole('button', {name: 'forces', exact: true}).click();
    assert.equal(await shown(page), 0);
    await page.locator('body').click({position: {x: 640, y: 20}});
    await page.keyboard.press('v');
    assert.equal(await shown(page), 1);
    await page.getByRole('tab', {name: 'Constraints'}).click();
    await page.getByRole('button', {name: 'arrows of roll'}).click();
    assert.equal(await shown(page), 0);
    await page.close();
  });

  test('reads values at the cursor, and a click sets the time', async () => {
    const page = await open(made.path);
    const box = await page.locator('.u-over').first().boundingBox(),
      value = page.locator('.legend .value').first();
    const shownAtFirst = await value.textContent();
    await page.mouse.move(box.x + 0.46 * box.width, box.y + 40);
    await page.waitForFunction((text) => document.querySelector('.legend .value').textContent !== text, shownAtFirst);
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
    assert.ok(Math.abs((await time(page)) - 5) < 0.1);
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 50, {steps: 5});
    await page.mouse.up();
    const range = await page.evaluate(() => window.vinculum.plots.range);
    assert.ok(Math.abs(range[0] - 2) < 0.1 && Math.abs(range[1] - 4) < 0.1, String(range));
    await page.keyboard.press('z');
    assert.deepEqual(await page.evaluate(() => window.vinculum.plots.range), [0, 10]);
    await page.close();
  });

  test('hears what is there when stopped, and finds names on all that can be used', async () => {
    const page = await open(made.path, {hash: '#t=4.39'});
    await page.waitForFunction(() => /roll on contact/.test(document.querySelector('[aria-live]').textContent));
    assert.match(await page.locator('[aria-live]').textContent(), /^t 4\.39 s\. roll on contact 11\.5 N$/);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, canvas')]
        .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()))
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless, []);
    assert.equal(await page.getByRole('slider').getAttribute('aria-valuetext'), '4.39 s');
    await page.close();
  });

  test('saves a picture and numbers', async () => {
    const page = await open(made.path);
    for (const [item, name] of [
      ['Picture', 'rolling_disk.png'],
      ['Plots', 'rolling_disk.svg'],
      ['Curves', 'rolling_disk_curves.csv'],
      ['Numbers', 'rolling_disk.csv'],
    ]) {
      await page.locator('summary', {hasText: 'Save'}).click();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', {name: item}).click(),
      ]);
      assert.equal(saved.suggestedFilename(), name);
      if (!name.endsWith('.svg')) continue;
      const text = readFileSync(await saved.path(), 'utf8');
      const faults = await page.evaluate(
        (one) => new DOMParser().parseFromString(one, 'image/svg+xml').querySelectorAll('parsererror').length,
        text,
      );
      assert.equal(faults, 0);
      assert.equal(/NaN|Infinity|undefined/.test(text), false);
    }
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test('sees plots and tables where there is no WebGL', async () => {
    const bare = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'],
    });
    const page = await bare.newPage({reducedMotion: 'reduce'});
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    await page.goto(pathToFileURL(made.path).href);
    await page.waitForFunction(() => window.vinculum?.plots.madeFor && window.vinculum.view.isReady);
    assert.match(await page.locator('.message').textContent(), /no WebGL/);
    await page.keyboard.press('End');
    assert.deepEqual(wrong, []);
    await bare.close();
  });
});

test('writes numbers of any size in full', () => {
  for (const [value, digits, text] of [
    [1223, 3, '1223'],
    [-999.7, 3, '−1000'],
    [999.6, 4, '999.6'],
    [12345, 4, '12345'],
    [0.0123, 4, '0.01230'],
    [1.2e-15, 3, '1.2·10⁻¹⁵'],
    [NaN, 4, '–'],
  ])
    assert.equal(written(value, digits), text);
});

test('draws bodies as skeletons, embedded joints and what is revealed', async () => {
  const made = pageOfText('linkage', kLinkage);
  for (const width of [1280, 400]) {
    const page = await open(made.path, {width, hash: '#t=0.3'});
    const seen = () =>
      page.evaluate(() => {
        const {view} = window.vinculum,
          [first] = view.drawn;
        const size = ({mesh}) => {
          mesh.geometry.computeBoundingBox();
          return mesh.geometry.boundingBox.getSize(view.up.clone()).multiplyScalar(view.half).toArray();
        };
        return {
          bodies: first.bodies.map(size),
          inertias: first.inertias.map(({mesh}) => mesh.visible),
          rods: first.rods.map(({ends}) => ends),
          dots: first.dots.map(({name}) => name),
          arrows: first.arrows.map(({item, drawn}) => [item.value, drawn.group.visible]),
          legends: [...document.querySelectorAll('.legend .entry')].map((one) => one.textContent),
          constants: [...document.querySelectorAll('.constants')].map((one) => one.textContent),
        };
      });
    const drawn = await seen();
    const [crank, plate] = drawn.bodies;
    assert.ok(crank[0] > 0.4 && crank[0] < 0.47 && crank[1] < 0.1, String(crank)); // from pin to pin, and not a disc
    assert.ok(plate[0] > 0.6 && plate[0] < 0.67 && plate[1] > 0.2 && plate[1] < 0.3, String(plate));
    assert.deepEqual(drawn.rods, [['Q', 'load']]);
    assert.deepEqual(drawn.dots.sort(), ['O', 'P', 'Q', 'crank', 'load']);
    assert.deepEqual(drawn.arrows, [['reveal0.F', true]]);
    assert.ok(
      drawn.legends.some((text) => text.startsWith('bearing on crank')),
      drawn.legends.join('; '),
    );
    assert.ok(drawn.constants.includes('constant: still = 3.000'), drawn.constants.join('; '));
    assert.deepEqual(drawn.inertias, [false, false]);
    await page.keyboard.press('i');
    assert.deepEqual((await seen()).inertias, [true, true]);
    await page.getByRole('button', {name: 'inertia'}).click();
    assert.deepEqual((await seen()).inertias, [false, false]);
    await page.getByRole('tab', {name: 'Constraints'}).click();
    await page.getByRole('button', {name: 'arrows of bearing'}).click();
    assert.deepEqual((await seen()).arrows, [['reveal0.F', false]]);
    assert.deepEqual(page.wrong, []);
    await page.close();
  }
});

test('follows a mechanism that travels far', async () => {
  const made = pageOf('bicycle'),
    page = await open(made.path, {hash: '#t=0'});
  const seen = () =>
    page.evaluate(() => {
      const {view} = window.vinculum,
        middle = view.mean();
      return {
        off: middle.distanceTo(view.controls.target),
        place: middle.multiplyScalar(view.half).toArray(),
        isOn: view.options.along,
        half: view.half,
      };
    });
  const first = await seen();
  await page.keyboard.press('End');
  const last = await seen();
  assert.ok(first.isOn && first.half < 5, JSON.stringify(first)); // the path is 20 m long
  assert.ok(Math.hypot(...last.place.map((x, k) => x - first.place[k])) > 15);
  assert.ok(Math.abs(last.off - first.off) < 1e-6, `${first.off} ${last.off}`);
  // the mechanism is near the middle, and fills at least a third of the drawing
  const [low, high, width, height] = await page.evaluate(() => {
    const {view} = window.vinculum,
      points = view.moving.map((name) => view.pixels(view.place(view.scene.motions[0], `${name}.p`, view.time)));
    const ends = (most) => ['x', 'y'].map((k) => most(...points.map((one) => one[k])));
    return [ends(Math.min), ends(Math.max), view.width, view.height];
  });
  assert.ok(Math.abs((low[0] + high[0]) / 2 / width - 0.5) < 0.15, `${low} ${high} of ${width}`);
  assert.ok(Math.abs((low[1] + high[1]) / 2 / height - 0.5) < 0.15, `${low} ${high} of ${height}`);
  assert.ok(high[0] - low[0] > width / 3, `${low} ${high} of ${width}`);
  await page.keyboard.press('c');
  assert.equal((await seen()).isOn, false);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('plays when it is opened, unless the address has a time', async () => {
  const made = pageOf('rolling_disk');
  const page = await open(made.path, {reducedMotion: 'no-preference'});
  await page.waitForFunction(() => window.vinculum.isPlaying && window.vinculum.time > 0);
  await page.close();
  const still = await open(made.path, {reducedMotion: 'no-preference', hash: '#t=1'});
  assert.equal(await still.evaluate(() => window.vinculum.isPlaying), false);
  await still.close();
});

test('shows when constraints act, and periodic instants, as many as pixels can show', async () => {
  const made = pageOfText('brake', kBrake);
  const [motion] = made.json.motions;
  assert.deepEqual(motion.acts, [
    {constraint: 'brake', times: [[1, 2]]},
    {constraint: 'rest', times: []},
  ]);
  assert.deepEqual(motion.clocks, [
    {name: 'u', kind: 'state', period: 0.25, first: 0, count: 17},
    {name: 'tick', kind: 'event', period: 0.001, first: 0, count: 4001},
  ]);
  assert.ok(!motion.events.some(({where}) => where === 'tick'));
  for (const width of [1280, 400]) {
    const page = await open(made.path, {width, hash: '#t=0.3'});
    // a span under the slider and a legend entry, and the name where the cursor is
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.lane i')].map(({title}) => title)), [
      'brake acts from 1.000 s to 2.000 s',
    ]);
    assert.equal(await page.locator('.acting').textContent(), 'acting:brakerest (never)');
    const box = await page.locator('.u-over').first().boundingBox(),
      nameAt = async (t) => {
        await page
          .locator('.u-over')
          .first()
          .hover({position: {x: (box.width * t) / 4, y: 20}});
        return page.evaluate(() => document.querySelector('.u-over').title);
      };
    assert.equal(await nameAt(0.5), '');
    assert.equal(await nameAt(1.3), 'brake acts from 1.000 s to 2.000 s');
    const half = motion.events.find(({where}) => where === 'half').t;
    assert.match(await nameAt(half), /s: event half/);
    assert.equal(await nameAt(3.5), '');
    // the shade is in the plot, and only where the constraint acts
    const shades = await page.evaluate(() => {
      const {plot} = window.vinculum.plots.open().find(({plot: one}) => one),
        {canvas} = plot.ctx,
        copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height}),
        pen = copy.getContext('2d', {willReadFrequently: true}),
        y = plot.bbox.top + plot.bbox.height - 12;
      pen.drawImage(canvas, 0, 0);
      return [0.55, 1.55, 2.55].map((t) =>
        [...pen.getImageData(plot.valToPos(t, 'x', true), y, 1, 1).data].slice(0, 4),
      );
    });
    assert.notDeepEqual(shades[1], shades[0]);
    assert.deepEqual(shades[2], shades[0]);
    // ticks: at least four pixels apart, in one element for each clock
    const ticks = await page.evaluate(() =>
      [...document.querySelectorAll('.lane.ticks')].map((lane) => ({
        title: lane.title,
        count: lane.querySelector('path').getAttribute('d').split('M').length - 1,
        width: lane.clientWidth,
      })),
    );
    assert.equal(ticks[0].title, 'sample of u every 0.2500 s, 17 times');
    assert.equal(ticks[0].count, 17);
    assert.equal(ticks[1].title, 'tick every 0.001000 s, 4001 times');
    assert.ok(ticks[1].count > ticks[1].width / 12 && ticks[1].count <= ticks[1].width / 4 + 1, JSON.stringify(ticks));
    assert.ok((await page.evaluate(() => document.querySelectorAll('.transport *').length)) < 100);
    assert.deepEqual(await page.evaluate(lowContrasts), []);
    assert.deepEqual(page.wrong, []);
    await page.close();
  }
});

test('draws the force of a constraint only while it acts', async () => {
  const page = await open(pageOfText('brake', kBrake).path);
  const end = 1e-5; // s, less than the time between two samples
  for (const [t, isOn] of [
    [0.5, false],
    [1 - end, false],
    [1 + end, true],
    [1.5, true],
    [2 - end, true],
    [2 + end, false],
    [3, false],
  ]) {
    const [arrow] = (await drawnArrows(page, t)).filter(({value}) => value === 'brake@P.F');
    assert.equal(arrow.isShown, isOn, `at ${t}`);
    assert.ok(Math.abs(arrow.size - (isOn ? 2 : 0)) < 1e-6, `${arrow.size} at ${t}`); // the whole force, at once
  }
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('draws the impulse of an impact at its instant and place', async () => {
  const made = pageOfText('bouncing', kBouncing);
  const [impulse, ...others] = made.json.motions[0].impulses;
  assert.deepEqual(others, []);
  // closed form: the normal impulse, and mu times it up the incline
  const b = 0.3,
    v = Math.sqrt(2 * 9.81 * (0.6 - 0.1 / Math.cos(b))),
    normal = 0.5 * 1.6 * v * Math.cos(b),
    wanted = [Math.sin(b) - 0.05 * Math.cos(b), 0, Math.cos(b) + 0.05 * Math.sin(b)].map((x) => normal * x);
  for (let k = 0; k < 3; ++k) assert.ok(Math.abs(impulse.value[k] - wanted[k]) < 1e-6, `${impulse.value}`);
  const page = await open(made.path);
  const drawnAt = (t) =>
    page.evaluate((time) => {
      window.vinculum.seek(time);
      return window.vinculum.view.impulses();
    }, t);
  const [drawn] = await drawnAt(impulse.t);
  const size = Math.hypot(...wanted);
  assert.ok(drawn.length > 0.3, `${drawn.length}`);
  for (let k = 0; k < 3; ++k) assert.ok(Math.abs(drawn.direction[k] - wanted[k] / size) < 1e-6);
  const place = await page.evaluate((p) => window.vinculum.view.inScene(p).toArray(), impulse.at);
  assert.deepEqual(drawn.place, place);
  assert.ok(await page.evaluate(() => /slope.*N·s/.test(document.querySelector('.labels').textContent)));
  assert.deepEqual(await drawnAt(impulse.t - 0.001), []);
  assert.equal((await drawnAt(impulse.t + 0.015)).length, 1);
  assert.deepEqual(await drawnAt(impulse.t + 0.02), []);
  // the keys `,` and `.` step to it, the mark names it, and V switches it off
  await drawnAt(0);
  await page.keyboard.press('.');
  assert.equal(await page.evaluate(() => window.vinculum.view.impulses().length), 1);
  assert.match(
    await page.evaluate(() => document.querySelector('.marks i').title),
    /impact of slope \(energetic\): work .*; impulse of slope: .*; impulse of friction of slope: /,
  );
  await page.keyboard.press('v');
  assert.deepEqual(await page.evaluate(() => window.vinculum.view.impulses()), []);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('draws discrete states as steps at the instants of their changes', async () => {
  const made = pageOfText('brake', kBrake),
    page = await open(made.path);
  const [motion] = made.json.motions,
    half = motion.events.find(({where}) => where === 'half').t;
  assert.deepEqual(
    motion.series.filter(({steps}) => steps).map(({name}) => name),
    ['u', 'passes'],
  );
  const lines = await page.evaluate(() =>
    window.vinculum.plots.plots
      .flatMap(({lines: some}) => some)
      .filter(({steps}) => steps)
      .map(({name, steps}) => [name, steps]),
  );
  const steps = Object.fromEntries(lines);
  // y'' = u is constant in each period
  let [y, v] = [0, 0];
  const times = steps.u.map(([t]) => t);
  for (let k = 0; k < 16; ++k) {
    const u = 1 - 3 * y,
      place = times.findLastIndex((t) => t <= 0.25 * k + 1e-9);
    assert.ok(Math.abs(times[place] - 0.25 * k) < 1e-9, `${times[place]} for ${0.25 * k}`);
    assert.ok(Math.abs(steps.u[place][1] - u) < 2e-5, `${steps.u[place][1]} for ${u}`);
    y += 0.25 * v + (0.25 * 0.25 * u) / 2;
    v += 0.25 * u;
  }
  assert.equal(steps.passes.length, 2);
  assert.ok(Math.abs(steps.passes[1][0] - half) < 1e-3, `${steps.passes[1][0]} for ${half}`);
  assert.equal(steps.passes[1][1], 1);
  // drawn with horizontal lines: between two instants the plot has the value of the first
  const plotted = await page.evaluate(() => {
    const {plot, lines: drawn} = window.vinculum.plots.plots.find(
        ({group}) => group.title === 'States' && group.isOpen,
      ),
      k = drawn.findIndex(({name}) => name === 'u');
    return plot ? [...plot.data[0]].map((t, i) => [t, plot.data[k + 1][i]]).filter(([t]) => t > 0.3 && t < 0.45) : [];
  });
  assert.ok(plotted.length > 0 && plotted.every(([, value]) => value === plotted[0][1]), JSON.stringify(plotted));
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.locator('summary', {hasText: 'Save'}).click();
      await page.getByRole('button', {name: 'Plots'}).click();
    })(),
  ]);
  const text = readFileSync(await saved.path(), 'utf8');
  assert.match(text, /<rect [^>]*opacity="0.1"\/>/);
  assert.match(text, />brake acts</);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('a comparison lays the motions over each other', async () => {
  const made = comparisonOf('blade', kBlade, 'ideal,vakonomic'),
    page = await open(made.path, {hash: '#t=3'});
  assert.equal(made.json.motions.length, 2);
  const apart = await page.evaluate(() => {
    const [a, b] = window.vinculum.view.drawn.map(({bodies}) => bodies[0].mesh.matrix.elements);
    return Math.hypot(a[12] - b[12], a[13] - b[13]);
  });
  assert.ok(apart > 0.01, String(apart));
  await page.keyboard.press('o');
  assert.equal(await page.evaluate(() => window.vinculum.view.drawn[1].group.visible), false);
  await page.keyboard.press('o');
  if (shots) await page.screenshot({path: join(shots, 'comparison.png')});
  // an x–y plot has one curve per motion, under the name without that of the motion
  await page.getByRole('button', {name: '+ x–y'}).click();
  const crossed = await page.evaluate(() => {
    const {x, y, curves} = window.vinculum.plots.crossed[0].chosen();
    return [x.name, y.name, curves.map(({motion, xs, ys}) => [motion.name, xs.length === ys.length])];
  });
  assert.ok(!/ideal|vakonomic/.test(crossed[0] + crossed[1]), String(crossed));
  assert.deepEqual(crossed[2], [
    ['ideal', true],
    ['vakonomic', true],
  ]);
  assert.deepEqual(await page.evaluate(lowContrasts), []);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('draws what a `view` states, and nothing in its place', async () => {
  const made = pageOf('slider_crank');
  for (const width of [1280, 400]) {
    const page = await open(made.path, {width, hash: '#t=0.6'});
    const drawn = await page.evaluate(() => {
      const {view} = window.vinculum,
        [first] = view.drawn;
      return {
        meshes: first.bodies.map(({mesh, at}) => [mesh.geometry.type, at]),
        arrows: first.arrows.map(({item}) => item.value),
        vectors: first.vectors.map(({item, drawn: {group}}) => [item.text, group.visible]),
        traces: first.traces.map(({name}) => name),
        labels: [...document.querySelectorAll('.label b')].map((one) => one.textContent),
        dots: first.dots.map(({name}) => name),
        isThere: view.drawn[0].bodies[0].mesh.matrix.elements[12],
      };
    });
    assert.equal(drawn.meshes.length, 4);
    assert.ok(
      drawn.meshes.every(([, at]) => ['crank.p', 'rod.p', 'slider.p', 'bed.p'].includes(at)),
      JSON.stringify(drawn.meshes),
    );
    assert.deepEqual(drawn.arrows, ['pin@E.F', 'reveal0.F']);
    assert.deepEqual(drawn.vectors, [['vel(slider)', true]]);
    assert.deepEqual(drawn.traces, ['E']);
    assert.ok(!drawn.dots.includes('slider'));
    assert.ok(
      drawn.labels.some((text) => /^vel\(slider\) [\d.]+ m\/s$/.test(text)),
      drawn.labels.join('; '),
    );
    assert.ok((await pixels(page)) > 12);
    await page.keyboard.press('d');
    assert.deepEqual(page.wrong, []);
    if (shots) await page.screenshot({path: join(shots, `slider_crank_${width}.png`)});
    await page.close();
  }
});

test('takes colours, axes, hidden things and the ground from a `view`', async () => {
  const made = pageOf('bead_on_rotating_hoop'),
    page = await open(made.path, {hash: '#t=0.5'});
  const seen = await page.evaluate(() => {
    const {view} = window.vinculum,
      ring = view.drawn[0].bodies.find(({mesh}) => mesh.geometry?.type === 'BufferGeometry' || mesh.geometry);
    const half = view.half,
      place = ring.mesh.geometry.getAttribute('position');
    let far = 0;
    for (let i = 0; i < place.count; ++i) far = Math.max(far, Math.hypot(place.getX(i), place.getY(i), place.getZ(i)));
    return {
      far: far * half,
      rods: view.drawn[0].rods.length,
      swatch: getComputedStyle(document.querySelector('.card') ?? document.body).getPropertyValue('--c'),
    };
  });
  assert.ok(Math.abs(seen.far - 0.404) < 2e-3, String(seen.far)); // a ring of radius 0.4 m and thickness 4 mm
  assert.equal(seen.rods, 0);
  await page.getByRole('tab', {name: 'Constraints'}).click();
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.querySelector('.card')).getPropertyValue('--c').trim()),
    '#e08a3c',
  );
  assert.deepEqual(page.wrong, []);
  await page.close();
  const disk = await open(pageOf('rolling_disk').path);
  assert.equal(await disk.evaluate(() => window.vinculum.view.floor), undefined);
  assert.equal(await disk.evaluate(() => window.vinculum.view.drawn[0].shadows.length), 0);
  await disk.close();
});

test('follows the subject that the view states, in the middle and filling the drawing', async () => {
  const made = pageOfText('stated', kStated, {'part.stl': kPart});
  assert.equal(made.json.view.followed, 'tip');
  const page = await open(made.path, {hash: '#t=0.1'});
  const seen = () =>
    page.evaluate(() => {
      const {view} = window.vinculum,
        tip = view.place(view.scene.motions[0], 'tip.p', view.time);
      return {
        off: tip.distanceTo(view.controls.target),
        at: view.pixels(tip),
        size: [view.width, view.height],
        isOn: view.options.along,
        half: view.half,
      };
    });
  for (const t of [0.1, 0.9, 2]) {
    await page.evaluate((time) => window.vinculum.seek(time), t);
    const {off, at, size, isOn, half} = await seen();
    assert.ok(isOn && off < 1e-6, `${off}`);
    assert.ok(Math.abs(at.x - size[0] / 2) < 1 && Math.abs(at.y - size[1] / 2) < 1, JSON.stringify(at));
    assert.ok(Math.abs(half - 2.5 * Math.hypot(0.2, 0.1, 0.05)) < 1e-6, `${half}`); // 2.5 times the reach of the mesh
  }
  await page.keyboard.press('c');
  assert.equal((await seen()).isOn, false);
  await page.evaluate(() => window.vinculum.seek(0.2));
  assert.ok((await seen()).off > 0.1);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('draws meshes, capsules, labels and colors of a `view`', async () => {
  const page = await open(pageOfText('stated', kStated, {'part.stl': kPart}).path, {hash: '#t=0.3'});
  const drawn = await page.evaluate(() => {
    const {view} = window.vinculum,
      [first] = view.drawn,
      box = (at) => {
        const {geometry} = first.bodies.find((one) => one.at === at).mesh;
        geometry.computeBoundingBox();
        return geometry.boundingBox.getSize(view.up.clone()).multiplyScalar(view.half).toArray();
      };
    const [capsule] = first.rods.filter(({ends}) => ends.join() === 'C,E');
    return {
      mesh: box('tip.p'),
      triangles: first.bodies.find((one) => one.at === 'tip.p').mesh.geometry.getAttribute('position').count / 3,
      arm: box('arm.p'),
      parts: capsule.rod.mesh.children.length,
      tip: capsule.rod.tip.position.y * view.half,
      colour: capsule.rod.bar.material.color.getHexString(),
      shadows: first.shadows.length,
      labels: [...document.querySelectorAll('.label')]
        .filter((one) => one.style.display !== 'none')
        .map((one) => ({text: one.textContent, box: one.getBoundingClientRect().toJSON()})),
      leaders: document.querySelectorAll('.leaders path[stroke]').length,
    };
  });
  const close = (these, those) => those.forEach((x, k) => assert.ok(Math.abs(these[k] - x) < 2e-3, String(these)));
  close(drawn.mesh, [0.4, 0.2, 0.05]);
  assert.equal(drawn.triangles, 2);
  close(drawn.arm, [0.38, 0.08, 0.08]);
  assert.equal(drawn.parts, 3); // a bar and two ends
  assert.ok(Math.abs(drawn.tip - 1) < 1e-6, `${drawn.tip}`);
  assert.equal(drawn.colour, 'ff8800');
  assert.equal(drawn.shadows, 0); // there is no gravity
  const labels = drawn.labels.filter(({text}) => ['first', 'second', 'third <b>', 'fourth'].includes(text));
  assert.equal(labels.length, 4, JSON.stringify(drawn.labels));
  for (const [k, {box: a}] of labels.entries())
    for (const {box: b} of labels.slice(k + 1))
      assert.ok(
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
        JSON.stringify([a, b]),
      );
  assert.ok(drawn.leaders >= 3, `${drawn.leaders}`); // all but the first are moved aside
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('lists what is zero in one line, without arrow or plot', async () => {
  const made = pageOfText('flat', kFlat),
    page = await open(made.path, {hash: '#t=0.4'});
  assert.deepEqual(
    made.json.torques.map(({unit}) => unit),
    ['N*m'],
  );
  const seen = await page.evaluate(() => ({
    zeros: document.querySelector('.zeros').textContent,
    sections: [...document.querySelectorAll('.plots section')].map((one) => one.getAttribute('aria-label')),
    legends: [...document.querySelectorAll('.legend .entry')].map((one) => one.textContent),
    arcs: window.vinculum.view.drawn[0].arcs.map(({drawn}) => drawn.group.visible),
    labels: document.querySelector('.labels').textContent,
  }));
  assert.match(seen.zeros, /^zero all the time: (.*, )?pin on plate, .*noise/);
  assert.match(seen.zeros, /moment/);
  assert.ok(!seen.sections.includes('Constraint torques, magnitudes'), String(seen.sections));
  assert.ok(!seen.legends.some((text) => /noise|moment/.test(text)), String(seen.legends));
  assert.ok(
    seen.legends.some((text) => text.startsWith('height')),
    String(seen.legends),
  );
  assert.deepEqual(seen.arcs, [false]);
  assert.ok(!/N·m/.test(seen.labels), seen.labels);
  // the components that the plane leaves undetermined are zero: the force counts as unique
  await page.getByRole('tab', {name: 'Constraints'}).click();
  assert.equal(await page.locator('.notice').count(), 0);
  assert.match(await page.locator('.card').textContent(), /zero all the time: torque on plate/);
  assert.ok(!(await page.locator('.card table').textContent()).includes('≀'));
  assert.deepEqual(await page.evaluate(lowContrasts), []);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('shows per component which forces are not unique', async () => {
  const page = await open(pageOfText('twice', kTwice).path, {hash: '#t=0.4'});
  await page.getByRole('tab', {name: 'Constraints'}).click();
  const [rope, , guide] = await page.locator('.card').all();
  assert.match(await rope.locator('.notice').textContent(), /^Not unique: N\.x, N\.y of the force on load\. /);
  const marks = await rope
    .locator('tbody td')
    .evaluateAll((cells) => cells.map((one) => one.textContent.includes('≀')));
  assert.deepEqual(marks, [true, true, false, true]);
  assert.equal(await guide.locator('.notice').count(), 0);
  const dashed = await page.evaluate(() =>
    window.vinculum.view.drawn[0].arrows
      .filter(({drawn}) => drawn.group.visible)
      .map(({item, drawn}) => [item.constraint, drawn.dashed.visible]),
  );
  assert.deepEqual(dashed, [
    ['rope', true],
    ['spare', true],
  ]);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('divides drawing and plots by a bar that is dragged, moved by keys and remembered', async () => {
  const made = pageOf('rolling_disk'),
    page = await open(made.path);
  const bar = page.getByRole('separator'),
    width = () => page.evaluate(() => document.querySelector('.left').clientWidth);
  const first = await width();
  const box = await bar.boundingBox();
  await page.mouse.move(box.x + 4, 400);
  await page.mouse.down();
  await page.mouse.move(520, 400, {steps: 4});
  await page.mouse.up();
  assert.ok(Math.abs((await width()) - 516) < 12, `${await width()} after ${first}`);
  const fits = () =>
    page.evaluate(() => {
      const {view, plots} = window.vinculum;
      return Math.abs(view.width - view.canvas.clientWidth) < 2 && plots.madeFor === plots.list.clientWidth;
    });
  await page.waitForFunction(() => Math.abs(window.vinculum.view.width - window.vinculum.view.canvas.clientWidth) < 2);
  assert.ok(await fits());
  await bar.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await width()) - 516 - 25) < 12, `${await width()}`);
  assert.equal(await page.evaluate(() => window.vinculum.time), 0); // the key is not a step
  const last = await width();
  await page.reload();
  await page.waitForFunction(() => window.vinculum?.view.isReady);
  assert.ok(Math.abs((await width()) - last) < 2);
  await bar.dblclick();
  assert.ok(Math.abs((await width()) - first) < 2);
  await bar.press('End');
  assert.equal(await bar.getAttribute('aria-valuenow'), '80');
  await bar.press('Home');
  assert.equal(await bar.getAttribute('aria-valuenow'), '25');
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('plots any quantity against another, and saves the curves shown', async () => {
  const made = pageOfText('stated', kStated, {'part.stl': kPart});
  for (const width of [1280, 400]) {
    const page = await open(made.path, {width, hash: '#t=0.5'});
    assert.ok(await page.evaluate(() => document.querySelector('.picker').offsetHeight < 44), 'one line');
    await page.getByRole('button', {name: '+ x–y'}).click();
    await page.getByLabel('x axis').selectOption({label: 'way [m]'});
    await page.getByLabel('y axis').selectOption({label: 'height [m]'});
    const spot = () =>
      page.evaluate(() => {
        const {plot, now} = window.vinculum.plots.crossed[0],
          motion = window.vinculum.scene.motions[0],
          find = (name) => motion.series.find((one) => one.name === name).values;
        const [x, y] = ['way', 'height'].map((name) => motion.valueAt(find(name), window.vinculum.time));
        const wanted = [plot.valToPos(x, 'x'), plot.valToPos(y, 'y')];
        return {
          wanted,
          is: now.style.transform.match(/-?[\d.]+/g).map(Number),
          count: plot.data[1][0].length,
          all: motion.t.length,
        };
      });
    await page.waitForFunction(() => window.vinculum.plots.crossed[0].now.style.transform !== '');
    const shownAt = await spot();
    shownAt.wanted.forEach((x, k) => assert.ok(Math.abs(x - shownAt.is[k]) < 0.5, JSON.stringify(shownAt)));
    assert.equal(shownAt.count, shownAt.all);
    const [a, b] = await page.evaluate(() => {
      const {plot, shown} = window.vinculum.plots.crossed[0],
        {t, xs, ys} = shown.curves[0],
        i = Math.floor(0.75 * t.length);
      return [[plot.valToPos(xs[i], 'x'), plot.valToPos(ys[i], 'y')], t[i]];
    });
    await page.locator('.xy .u-over').click({position: {x: a[0], y: a[1]}});
    assert.ok(Math.abs((await page.evaluate(() => window.vinculum.time)) - b) < 0.05);
    const save = async (item) => {
      await page.locator('summary', {hasText: 'Save'}).click();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', {name: item}).click(),
      ]);
      return [saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8')];
    };
    const [name, csv] = await save('Curves shown');
    assert.equal(name, 'stated_curves.csv');
    const [names, units, first] = csv.split('\n');
    assert.ok(
      ['t', 'height', 'way'].every((one) => names.split(',').includes(one)),
      names,
    );
    assert.ok(!names.includes('residual'), names);
    assert.equal(units.split(',').length, names.split(',').length);
    assert.equal(first.split(',').length, names.split(',').length);
    const [, svg] = await save('Plots shown');
    assert.match(svg, />height \[m\] over way \[m\]</);
    assert.equal(/NaN|Infinity|undefined/.test(svg), false);
    await page.getByRole('button', {name: 'remove the x–y plot'}).click();
    assert.equal(await page.locator('.xy').count(), 0);
    assert.deepEqual(page.wrong, []);
    await page.close();
  }
});

test('records the motion as a video, unless Escape stops it', async () => {
  const page = await open(pageOfText('flat', kFlat).path, {hash: '#t=0.4'});
  await page.locator('summary', {hasText: 'Save'}).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', {name: 'Video of the motion (WebM)'}).click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'flat.webm');
  const video = readFileSync(await saved.path());
  assert.equal(video.readUInt32BE(0), 0x1a45dfa3); // EBML
  assert.match(video.toString('latin1'), /V_VP[89]/);
  assert.ok(video.length > 4000, `${video.length} bytes`);
  assert.equal(await page.evaluate(() => window.vinculum.time), 0.4);
  assert.ok(await page.locator('.message').isHidden());
  let count = 0;
  page.on('download', () => ++count);
  await page.locator('summary', {hasText: 'Save'}).click();
  await page.getByRole('button', {name: 'Video of the motion'}).click();
  await page.waitForFunction(() => window.vinculum.recording);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => window.vinculum.recording === null);
  await page.waitForTimeout(100);
  assert.equal(count, 0);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test('highlights the words of the language at the places where they have a meaning', () => {
  const words = {statements: ['param', 'view', 'force', 'for'], clauses: ['law'], items: ['rod', 'color']};
  const text =
    'param m = 2.5e-3 [kg]  # a "mass"\nforce on P = q[1]*N.x\n    law ideal\nrod = 1\nview {\n  rod P Q\n' +
    '  color P = "#ff8800"\n  param\n}\nlet force = 3\nfor i in 1..2 { param a[i] = i }\n';
  const found = highlightedParts(text, words);
  assert.equal(found.map(([, part]) => part).join(''), text);
  const of = (kind) => found.filter(([one]) => one === kind).map(([, part]) => part);
  assert.deepEqual(of('word'), ['param', 'force', 'law', 'view', 'rod', 'color', 'for', 'param']);
  assert.deepEqual(of('comment'), ['# a "mass"']);
  assert.deepEqual(of('string'), ['"#ff8800"']);
  assert.deepEqual(of('unit'), ['[kg]']);
  assert.deepEqual(of('number').slice(0, 1), ['2.5e-3']);
});

/** A scene of one motion, with these forces in N, torques in N·m and series, for tests of functions. */
function sceneOf({forces = {}, torques = {}, series = [], gravity = [0, 0, 0]}) {
  const tracks = {...forces, ...torques},
    items = (values, unit) => Object.keys(values).map((value) => ({value, unit}));
  const motion = {
    t: [0, 1],
    series,
    has: (track) => track in tracks,
    parts: (track) => tracks[track].map((x) => [0, x]),
  };
  return {
    motions: [motion],
    forces: items(forces, 'N'),
    torques: items(torques, 'N*m'),
    reveals: [],
    bodies: [{mass: 2}, {mass: 3}],
    space: {gravity, box: [[0, 0, 0], [4, 1, 0]]}, // prettier-ignore
    start: 0,
    end: 2,
  };
}

test('compares values with a reference of their unit to tell rounding errors', () => {
  const near = (value, wanted) => assert.ok(Math.abs(value - wanted) <= 1e-6 * wanted, `${value} for ${wanted}`);
  const loaded = sceneOf({forces: {F: [3, 0, -50]}, torques: {M: [0, 0, 7]}});
  near(nothingBelow(loaded, 'N'), 50e-12);
  near(nothingBelow(loaded, 'N*m'), 200e-12); // the largest force times the extent
  near(nothingBelow(sceneOf({gravity: [0, -10, 0]}), 'N'), 50e-12); // the weight of five kilograms
  near(nothingBelow(loaded, 'm'), 4e-12);
  near(nothingBelow(loaded, 'm/s'), 2e-12);
  near(nothingBelow(loaded, 'rad/s'), 0.5e-12);
  const series = (group, unit, ...values) => ({group, unit, values});
  const several = sceneOf({
    series: [series('outputs', 'J', 1, -9), series('residuals', 'J', 100), series('outputs', '1', 7)],
  });
  near(nothingBelow(several, 'J'), 9e-12);
  assert.equal(nothingBelow(several, '1'), 0); // numbers without a unit may have any size
  assert.equal(nothingBelow(several, 'kg'), 0);
  assert.equal(nothingBelow(sceneOf({}), 'N'), 0);
  near(nothingBelow(sceneOf({}), 'N', 3), 3e-12);
});

test('writes a CSV with names, units and the rows of the range', () => {
  const motion = (name) => ({name, t: [0, 0.5, 1, 1.5]});
  const columns = [
    {name: 'a', unit: 'm', values: [1, 2, 3, 4]},
    {name: 'b, "c"', unit: '1', values: [5, NaN, -1e-20, 8]},
  ];
  assert.equal(
    csvOf([motion('')], [0.5, 1], () => columns),
    't,a,"b, ""c"""\n# s,m,\n0.5,2,\n1,3,-1e-20\n',
  );
  assert.equal(
    csvOf([motion('ideal'), motion('other')], [2, 3], () => columns.slice(0, 1)),
    '# ideal\nt,a\n# s,m\n\n# other\nt,a\n# s,m\n',
  );
});
