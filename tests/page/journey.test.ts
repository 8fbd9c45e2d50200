import { hasEnded } from '../support/survivors.ts';
import { place } from '../support/place.ts';
import { goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';
import { browser } from './support/browser.ts';
import { served } from './support/served.ts';

const lab = place('page-journey');
const chromium = browser();

const step = (n: number) => ({ files: { [`${n}.txt`]: `${n}\n` }, say: `working on ${n}`, report: goOn(`did ${n}`) });

test('a run is watched, paused, resumed, given more and cancelled in the browser', async () => {
  const story = lab.story([step(1), { ...step(2), sleep: 8 }, { ...step(3), sleep: 60 }]);
  await story.detach('--max-rounds', '9');
  await story.started(2);
  const page = await served(lab.home);
  const { page: tab, problems } = await chromium.visit(page.url);

  // Found in the list, and opened.
  await tab.locator('.run-row', { hasText: story.id }).click();
  await tab.getByText('Running round 2 of 9', { exact: false }).first().waitFor();
  await tab.locator('.live .log').getByText('working on 2').waitFor();
  expect(await tab.locator('.rounds tbody tr[data-round="1"]').innerText()).toContain('did 1');

  // Its round ends while it is looked at, and the next one arrives by itself.
  await tab.locator('.rounds tbody tr[data-round="3"]').waitFor({ timeout: 30_000 });
  expect(await tab.locator('.rounds tbody tr[data-round="2"]').innerText()).toContain('did 2');

  const ask = async (label: string): Promise<void> => {
    await tab.locator('.actions').getByRole('button', { name: label, exact: true }).click();
    await tab.locator('dialog[open]').waitFor();
  };
  const confirm = (label: string) =>
    tab.locator('dialog[open]').getByRole('button', { name: label, exact: true }).click();

  // Asked once, with the command that does the same; nothing is done before that.
  await ask('Pause');
  expect(await tab.locator('dialog[open]').innerText()).toContain(`ralph pause ${story.id}`);
  await confirm('Leave it');
  expect((await story.show()).status).toBe('running');
  await ask('Pause now');
  expect(await tab.locator('dialog[open]').innerText()).toContain(`ralph pause ${story.id} --now`);
  await confirm('Pause now');
  await tab.locator('.said-back').getByText('its work kept').waitFor({ timeout: 30_000 });
  await tab.locator('.pill', { hasText: 'paused' }).first().waitFor({ timeout: 30_000 });

  await ask('Raise budget');
  await tab.getByLabel('Rounds to add').fill('3');
  expect(await tab.locator('dialog[open]').innerText()).toContain('--add-rounds 3');
  await confirm('Raise budget');
  await tab.locator('.said-back').getByText('rounds 9 → 12').waitFor();

  await ask('Resume');
  await confirm('Resume');
  await tab.locator('.said-back').getByText('is resumed').waitFor();

  await ask('Cancel');
  await tab.getByLabel('Why, for the record').fill('seen enough');
  await confirm('Cancel');
  await tab.locator('.verdict .receipt').waitFor({ timeout: 30_000 });
  expect(await tab.locator('.verdict .receipt').innerText()).toContain('no process is left');
  expect((await story.show()).status).toBe('cancelled');
  expect(problems).toEqual([]);
});

test('a page that is killed harms no run', async () => {
  const story = lab.story([
    { sleep: 60, report: goOn('one') },
    { sleep: 60, report: goOn('two') },
  ]);
  await story.detach('--max-rounds', '2');
  await story.started(1);
  const page = await served(lab.home);
  process.kill(page.pid, 'SIGKILL');
  await waitFor('the end of the page', 10_000, () => hasEnded(page.pid));
  story.agent.go();
  await waitFor('the end of the run', 40_000, async () => (await story.show()).status === 'budget-limited');
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 continue']);
});

test('a run is shown from its files while Temporal is down', async () => {
  const story = lab.story([{ report: goOn('one') }]);
  expect(await lab.ralph(...story.args, '--max-rounds', '1')).toMatchObject({ code: 11 });
  await lab.ralph('down');
  const page = await served(lab.home);
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.run-row', { hasText: story.id }).waitFor();
  await tab.locator('.service', { hasText: 'Temporal' }).getByText('down').waitFor({ state: 'attached' });
  await tab.goto(`${page.origin}/#/runs/${story.id}/rounds/1/diff`);
  await tab.getByText('No changes.').waitFor();
});
