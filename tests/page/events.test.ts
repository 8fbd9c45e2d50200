import path from 'node:path';
import { openDeployment } from '../../client/connect/deployment.ts';
import { servePage, type ServedPage } from '../../page/server/serve-page.ts';
import { scratch, type Scratch } from '../cli/support/ralph.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { waitFor } from '../support/wait-for.ts';

const token = 'a'.repeat(43);
let place: Scratch;
let page: ServedPage;

beforeAll(async () => {
  place = await scratch();
  await recordRun({
    home: place.home,
    runId: 'widgets',
    objective: 'Migrate',
    summary: 'done',
    transcript: '',
    rounds: 2,
    ended: true,
  });
  const deployment = await openDeployment({ RALPH_HOME: place.home, PATH: process.env['PATH'] });
  page = await servePage({ deployment, assets: path.join(process.cwd(), 'dist', 'page-app'), token, port: null });
});
afterAll(async () => {
  await page.close();
  await place.remove();
});

/** Follows a run as a tab does. */
async function tab() {
  const over = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${page.port}/api/runs/widgets/events`, { headers, signal: over.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('there is no answer to read');
  let text = '';
  while (!text.includes('\n')) text += (await reader.read()).value ?? '';
  const first: { set: Record<string, unknown> } = JSON.parse(text.split('\n', 1)[0] ?? '');
  return { first, close: () => over.abort() };
}

test('ten tabs of a run cost one watch, and none once they are closed', async () => {
  const tabs = await Promise.all(Array.from({ length: 10 }, tab));
  for (const { first } of tabs) {
    expect(Object.keys(first.set)).toEqual(expect.arrayContaining(['run/phase', 'round/1', 'round/2', 'why']));
  }
  expect(page.watched()).toEqual(['widgets']);
  for (const { close } of tabs.slice(1)) close();
  expect(page.watched()).toEqual(['widgets']);
  tabs[0]?.close();
  await waitFor('the end of the watch', 10_000, () => page.watched().length === 0);
});
