import { writeFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { scratch, type Scratch } from '../cli/support/ralph.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { browser } from './support/browser.ts';
import { type Served, served } from './support/served.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = browser();
let place: Scratch;
let page: Served;
const run = { objective: 'Migrate every call', summary: 'twelve calls', transcript: 'a line\nanother\n', ended: true };

beforeAll(async () => {
  place = await scratch();
  await recordRun({ home: place.home, runId: 'widgets', rounds: 12, ...run });
  await recordRun({ home: place.home, runId: 'gadgets', rounds: 3, ...run, ended: false });
  page = await served(place.home);
});
afterAll(() => place.remove());

/** What axe finds wrong, by rule. */
async function violations(tab: Page): Promise<string[]> {
  await tab.evaluate(axe.source);
  return await tab.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`))",
  );
}

const VIEWS = [
  ['#/', '.runs li >> nth=1'],
  ['#/runs/widgets', '.rounds tbody tr'],
  ['#/runs/widgets/rounds/3/report', '.report .summary'],
  ['#/runs/widgets/rounds/3/gates', '.tab .fine'],
  ['#/runs/widgets/rounds/3/transcript', '.log.tall div'],
  ['#/runs/widgets/rounds/3/receipt', '.proof'],
  ['#/runs/nobody', '.notice.urgent'],
] as const;

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const)('axe finds nothing in any view (%s, %i pixels wide)', async (colorScheme, width) => {
  const { page: tab } = await chromium.visit(page.url, {
    bypassCSP: true,
    colorScheme,
    viewport: { width, height: 800 },
  });
  await tab.locator('.runs li >> nth=1').waitFor();
  const found: Record<string, string[]> = {};
  for (const [address, shown] of VIEWS) {
    await tab.goto(`${page.origin}/${address}`);
    await tab.locator(shown).first().waitFor();
    const list = await violations(tab);
    if (list.length > 0) found[address] = list;
    // Nothing is wider than the window.
    expect(await tab.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  }
  expect(found).toEqual({});
});

test('the page is as dark as the system, until the reader says otherwise', async () => {
  const { page: tab } = await chromium.visit(page.url, { colorScheme: 'dark' });
  await tab.locator('.runs li >> nth=1').waitFor();
  const paper = async () =>
    String(await tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"));
  const becomes = (wanted: string) => waitFor(`the paper ${wanted}`, 20_000, async () => (await paper()) === wanted);
  const dark = await paper();
  await tab.emulateMedia({ colorScheme: 'light' });
  await waitFor('light paper', 20_000, async () => (await paper()) !== dark);
  const light = await paper();
  const choose = (theme: string) => tab.getByRole('button', { name: new RegExp(`Change to ${theme}$`) }).click();
  await choose('light');
  await tab.emulateMedia({ colorScheme: 'dark' });
  await choose('dark');
  await becomes(dark);
  await tab.emulateMedia({ colorScheme: 'light' });
  await choose('auto');
  await becomes(light);
  expect(await tab.locator('html').getAttribute('data-theme')).toBe('light');
});

test('an empty RALPH_HOME says how a run is started', async () => {
  const empty = await scratch();
  try {
    const { page: tab } = await chromium.visit((await served(empty.home)).url);
    await tab.getByText('No runs yet').waitFor();
    expect(await tab.locator('.notice').innerText()).toContain('ralph run');
  } finally {
    await empty.remove();
  }
});

test('a run whose record is damaged is shown with what is wrong', async () => {
  writeFileSync(attemptPaths(runPaths(place.home, 'gadgets'), 2, 1).outcome, 'not json');
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li >> nth=1').waitFor();
  await tab.goto(`${page.origin}/#/runs/gadgets/rounds/2/report`);
  await tab.locator('.tab .note').waitFor();
  expect(await tab.locator('.tab .note').innerText()).toMatch(/damaged|not valid|JSON/i);
});

test('the list can be filtered, and walked and opened by keys', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li >> nth=1').waitFor();
  await tab.keyboard.press('/');
  await tab.keyboard.type('gadgets');
  await tab.locator('.runs[aria-label="1 run"]').waitFor();
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('j');
  await tab.keyboard.press('Enter');
  await tab.locator('.rounds tbody tr').first().waitFor();
  await tab.keyboard.press('j');
  await tab.locator('.inspector').waitFor();
  expect(tab.url()).toBe(`${page.origin}/#/runs/gadgets/rounds/3/report`);
  await tab.keyboard.press('k');
  await tab.keyboard.press('t');
  expect(tab.url()).toBe(`${page.origin}/#/runs/gadgets/rounds/2/transcript`);
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('u');
  await tab.locator('.runs li').first().waitFor();
});

test('unknown is said, and never shown as 0', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li >> nth=1').waitFor();
  await tab.goto(`${page.origin}/#/runs/widgets`);
  const row = tab.locator('.rounds tbody tr[data-round="2"]');
  await row.waitFor();
  expect(await row.innerText()).toContain('unknown');
  expect(await row.innerText()).not.toContain('$0');
});
