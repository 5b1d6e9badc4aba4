// Uses the page of a study as a reader does, in a headless browser: node --test page/test (page/test.sh prepares it).
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {browserPath, command, lowContrasts} from './pages.mjs';

const blank = join(dirname(command), '../share/vinculum/study.html');
const masses = [1, 2, 3, 4, 5, 6];
const kStudy = {
  format: 'vinculum-study-page/1',
  title: 'Study of a lever',
  summary: '7 of 7 runs, 1 of 1 shards, failed: 1 crash',
  folder: 'lever',
  rows: 7,
  done: 7,
  row: [0, 1, 2, 3, 4, 5, 6],
  parameters: [
    {name: 'm [kg]', values: [...masses, 7]},
    {name: 'k [N/m]', values: [5, 1, 4, 2, 3, 6, 7]},
  ],
  results: [
    {name: 'x', values: [...masses.map((m) => 10 * m), null], edges: [10, 35, 60], counts: [3, 3]},
    {name: 'peak <force>', values: [3, 3, 1, 5, 4, 2, null], edges: [1, 3, 5], counts: [2, 4]},
  ],
  influence: {
    parameters: ['m [kg]', 'k [N/m]'],
    results: ['x', 'peak <force>'],
    values: [
      [1, 0.25],
      [-0.5, null],
    ],
  },
  failed: [{row: 6, kind: 'crash', message: 'the process of the run was ended by signal 11 (SIGSEGV)'}],
};
let browser, path;

before(async () => {
  browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox']});
  path = join(mkdtempSync(join(tmpdir(), 'vinculum-study-')), 'study.html');
  const data = JSON.stringify(kStudy).replaceAll('<', '\\u003c');
  writeFileSync(
    path,
    readFileSync(blank, 'utf8').replace('@vinculum-study@', () => data),
  );
});
after(() => browser?.close());

/** Opens the page and records its errors and requests; none of these may occur. */
async function open(colorScheme = 'light') {
  const page = await browser.newPage({viewport: {width: 1200, height: 900}, colorScheme});
  page.wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.wrong.push(message.text()));
  page.on('pageerror', (error) => page.wrong.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|blob|file):/.test(request.url())) page.wrong.push(`request ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.locator('.scatter canvas').waitFor();
  return page;
}

/** Clicks the scatter plot near the point of a run, so many pixels to the left of it. */
async function clickPoint(page, row, aside) {
  const [x, y] = await page.evaluate((wanted) => {
    const {scatter} = window.study;
    return scatter.at(scatter.points.find((one) => one.row === wanted));
  }, row);
  const box = await page.locator('.scatter .u-over').boundingBox();
  await page.mouse.click(box.x + x - aside, box.y + y);
}

describe('the page of a study', () => {
  test('opens without an error or a request, with a plot per result', async () => {
    const page = await open();
    assert.equal(await page.locator('h1').textContent(), kStudy.title);
    assert.equal(await page.locator('.histogram canvas').count(), 2);
    assert.equal(await page.locator('.influence button').count(), 4);
    assert.deepEqual(await page.locator('.influence button').allTextContents(), ['1.0', '0.25', '−0.50', '–']);
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test('shows the run of a point that is clicked, and its command', async () => {
    const page = await open();
    await clickPoint(page, 5, 3);
    assert.match(
      await page.locator('.card').textContent(),
      /Run 5.*python -m vinculum study replay lever 5.*x60\.0000/,
    );
    await clickPoint(page, 3, 50); // no point is near
    assert.match(await page.locator('.card').textContent(), /Run 5/);
    assert.equal(await page.locator('input').inputValue(), '5');
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test('shows the run of a number, and the reason of a failed one', async () => {
    const page = await open();
    await page.locator('input').fill('2');
    await page.locator('input').press('Enter');
    assert.match(await page.locator('.card').textContent(), /Run 2.*m \[kg\]3\.00000.*x30\.0000/);
    await page.getByRole('button', {name: 'run 6: crash'}).click();
    assert.match(await page.locator('.card').textContent(), /Run 6crash: the process.*SIGSEGV.*x–/);
    await page.close();
  });

  test('draws the pair of an influence and the result of a histogram', async () => {
    const page = await open();
    const choices = () => page.locator('select').evaluateAll((all) => all.map((one) => one.value));
    assert.deepEqual(await choices(), ['m [kg]', 'x']);
    await page.locator('.influence button').nth(3).click();
    assert.deepEqual(await choices(), ['k [N/m]', 'peak <force>']);
    await page.locator('.histogram button').first().click();
    assert.deepEqual(await choices(), ['k [N/m]', 'x']);
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  for (const scheme of ['light', 'dark']) {
    test(`has readable texts in ${scheme} colors`, async () => {
      const page = await open(scheme);
      await page.locator('input').fill('6');
      await page.locator('input').press('Enter');
      assert.deepEqual(await page.evaluate(lowContrasts), []);
      await page.close();
    });
  }
});
