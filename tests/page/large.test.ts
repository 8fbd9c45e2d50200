import { createWriteStream, statSync } from 'node:fs';
import { once } from 'node:events';
import type { Locator } from 'playwright-core';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { scratch, type Scratch } from '../cli/support/ralph.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { browser } from './support/browser.ts';
import { ask, bearer, type Served, served } from './support/served.ts';

const ROUNDS = 1_000;
const RUNS = 2_000;
const TRANSCRIPT_BYTES = 100 * 1024 * 1024;

const chromium = browser();
let place: Scratch;
let page: Served;
const run = { objective: 'Migrate', summary: 'twelve calls', transcript: 'a line\n', ended: true };

beforeAll(async () => {
  place = await scratch();
  await recordRun({ home: place.home, runId: 'large', rounds: ROUNDS, ...run });
  for (let i = 0; i < RUNS; i += 1) await recordRun({ home: place.home, runId: `run-${i}`, rounds: 1, ...run });
  const { transcript } = attemptPaths(runPaths(place.home, 'large'), ROUNDS, 1);
  const out = createWriteStream(transcript);
  for (let n = 0, bytes = 0; bytes < TRANSCRIPT_BYTES; n += 1) {
    const line = `line ${n} ${'x'.repeat(990)}\n`;
    bytes += line.length;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end('the very last line\n');
  await once(out, 'close');
  page = await served(place.home);
});
afterAll(() => place.remove());

/** Whether it is on screen in the box that scrolls. */
async function isWithin(line: Locator, box: Locator): Promise<boolean> {
  const [inner, outer] = [await line.boundingBox(), await box.boundingBox()];
  if (inner === null || outer === null) return false;
  return inner.y >= outer.y - inner.height && inner.y <= outer.y + outer.height;
}

test('a thousand rounds are shown, each of them once', async () => {
  const { page: tab, problems } = await chromium.visit(page.url);
  await tab.locator('.runs li').first().waitFor();
  await tab.goto(`${page.origin}/#/runs/large`);
  await tab.locator('.rounds tbody tr[data-round="1"]').waitFor();
  expect(await tab.locator('.rounds tbody tr').count()).toBe(ROUNDS);
  expect(await tab.locator('.bar.rounds').count()).toBe(ROUNDS);
  expect(problems).toEqual([]);
});

test('two thousand runs are listed; rows are made as the reader comes to them', async () => {
  const { page: tab, problems } = await chromium.visit(page.url);
  await tab.locator('.runs li').first().waitFor();
  await tab.locator(`.runs[aria-label="${(RUNS + 1).toLocaleString('en-US')} runs"]`).waitFor();
  const before = await tab.locator('.runs li').count();
  expect(before).toBeLessThan(RUNS / 2);
  await tab.locator('.runs li').last().scrollIntoViewIfNeeded();
  await tab.locator('.runs li').nth(before).waitFor({ state: 'attached' });
  expect(await tab.locator('.runs li').count()).toBeGreaterThan(before);
  expect(problems).toEqual([]);
});

test('a transcript of 100 MB opens at its end, and is never sent whole', async () => {
  const { transcript } = attemptPaths(runPaths(place.home, 'large'), ROUNDS, 1);
  expect(statSync(transcript).size).toBeGreaterThan(TRANSCRIPT_BYTES);
  const path = `/api/runs/large/rounds/${ROUNDS}/log?name=attempt-1`;
  const { status, body } = await ask(page, { path, headers: bearer(page) });
  expect(status).toBe(200);
  expect(body.length).toBeLessThan(4 * 1024 * 1024);
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li').first().waitFor();
  await tab.goto(`${page.origin}/#/runs/large/rounds/${ROUNDS}/transcript`);
  const last = tab.locator('.log.tall').getByText('the very last line');
  await last.waitFor();
  // At the end, and older lines on demand, above what is being read.
  const log = tab.locator('.log.tall');
  expect(await isWithin(last, log)).toBe(true);
  const lines = await log.locator('div').count();
  const oldest = /line \d+/.exec(await log.locator('div').first().innerText())?.[0];
  await log.press('Home');
  await log.locator('div').nth(lines).waitFor({ state: 'attached' });
  expect(await isWithin(log.getByText(`${String(oldest)} x`), log)).toBe(true);
});
