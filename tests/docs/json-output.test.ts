import { readFileSync } from 'node:fs';
import { DisposalCause, Mechanism, Receipt } from '../../schemas/round/receipt.ts';
import { Interruption } from '../../schemas/round/fault.ts';
import { RunStatus } from '../../schemas/loop/memo.ts';
import { AttemptOutcome } from '../../schemas/round/round.ts';
import { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { Phase, RollbackView, ShownStatus, TemporalView, Work } from '../../client/view/run-view.ts';
import type { Amount } from '../../client/view/round-view.ts';
import { SEARCH_KINDS } from '../../client/search/search-query.ts';
import { PURPOSES } from '../../client/stats/stats-view.ts';
import { here } from '../cli/support/here.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { type Scratch, scratch } from '../cli/support/ralph.ts';
import { section, tableRows } from './tables.ts';

const page = readFileSync('docs/json-output.md', 'utf8');
const words = (text: string | undefined): string[] =>
  Array.from(String(text).matchAll(/`([^`]+)`/g), ([, word]) => String(word));
const heading = (name: string): string => (page.includes(`### ${name}\n`) ? `### ${name}` : `## ${name}`);
const own = (name: string): string => section(page, heading(name)).split('\n#')[0] ?? '';
const rows = (name: string): string[][] => tableRows(own(name));
const fields = (name: string): string[] =>
  rows(name)
    .flatMap(([names]) => words(names))
    .toSorted();
/** What the page says of one field, or of one variant. */
const values = (name: string, field: string): string[] =>
  rows(name)
    .filter(([names]) => words(names).includes(field))
    .flatMap((cells) => words(cells.slice(1).join(' ')));
const keys = (value: unknown): string[] => Object.keys(Object(value)).toSorted();
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
/** That a variant has just the fields that are documented for it. */
const expectVariant = (name: string, value: unknown): void => {
  const { kind, ...rest } = Object(value);
  expect(values(name, kind)).toEqual(expect.arrayContaining(Object.keys(rest)));
};

let place: Scratch;
let print: (...args: string[]) => Promise<unknown>;
beforeAll(async () => {
  place = await scratch();
  const { home } = place;
  const run = { objective: 'Migrate', summary: 'done', transcript: 'a line\n', rounds: 1, ended: true };
  await recordRun({ home, runId: 'widgets-k3f9x', ...run });
  print = async (...args) => JSON.parse((await here([...args, '--json'], { home })).stdout);
});
afterAll(() => place.remove());

test('what list and show print has the documented fields', async () => {
  const listed = Object(first(await print('list')));
  expect(keys(listed)).toEqual(fields('Run in a list'));
  for (const field of ['about', 'progress']) {
    expect(values('Run in a list', field)).toEqual(expect.arrayContaining(keys(listed[field])));
  }
  expectVariant('Work', listed.work);
  const run = Object(await print('show', 'widgets-k3f9x'));
  expect(keys(run)).toEqual(fields('Run'));
  expect(keys(run.request.request)).toEqual(fields('Request'));
  expect(values('Request', 'limits')).toEqual(Object.keys(run.request.request.limits));
  expectVariant('Phase', run.phase);
  expectVariant('Ending', run.phase.how);
  expect(keys(run.phase.receipt)).toEqual(fields('Receipt'));
  expect(keys(run.spend)).toEqual(fields('Spend'));
  expectVariant('Amount', run.spend.tokens);
  expect(values('Run', 'ceilings')).toEqual(['maxRounds', 'budgets', ...Object.keys(run.ceilings.budgets)]);
  expect(keys(run.chain)).toEqual(fields('Chain'));
  const running = rows('Round in a table').filter(([, only]) => only === '`running`');
  const notOfEnded = new Set(running.flatMap(([names]) => words(names)));
  expect(keys(first(run.rounds))).toEqual(fields('Round in a table').filter((field) => !notOfEnded.has(field)));
  expect(values('Run', 'temporal')).toEqual(expect.arrayContaining([run.temporal.kind, 'page']));
});

test('what show --round, log, why, status and doctor print has the documented fields', async () => {
  const round = Object(await print('show', 'widgets-k3f9x', '--round', '1'));
  expect(keys(round)).toEqual(fields('Round'));
  const attempt = Object(first(round.attempts));
  expect(keys(attempt)).toEqual(fields('Attempt'));
  expect(attempt.outcome.kind).toBe('there');
  expect(keys(await print('log', 'widgets-k3f9x'))).toEqual(fields('Line'));
  expect(keys(await print('why', 'widgets-k3f9x'))).toEqual(fields('Why'));
  const services = Object(await print('status'));
  expect(keys(services)).toEqual(fields('Services'));
  expect(values('Services', 'temporal')).toEqual(expect.arrayContaining(Object.keys(services.temporal)));
  expect(keys(await print('doctor', '--reap'))).toEqual(fields('Diagnosis'));
});

test('what search prints has the documented fields', async () => {
  const { stdout } = await here(['search', 'Migrate', '--json'], { home: place.home });
  const [hit, end] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));
  expect(keys(hit)).toEqual(fields('Hit'));
  expectVariant('Event of a search', end);
  expect(values('Hit', 'where')).toEqual(SEARCH_KINDS);
});

test('what stats prints has the documented fields', async () => {
  const stats = Object(await print('stats'));
  expect(keys(stats)).toEqual(fields('Statistics'));
  expect(keys(stats.total)).toEqual(fields('Sums'));
  expect(values('Statistics', 'purposes')).toEqual(expect.arrayContaining([...PURPOSES]));
  for (const [list, beside] of [
    ['agents', ['agent', 'model']],
    ['days', ['day']],
    ['purposes', ['purpose']],
  ] as const) {
    expect(keys(first(stats[list]))).toEqual([...fields('Sums'), ...beside].toSorted());
  }
  expectVariant('Amount', stats.waitMs);
});

test('outcomes and endings have the documented fields, whatever their kind', () => {
  const outcome = AttemptOutcome.options.flatMap(({ shape }) => Object.keys(shape));
  expect(fields('Outcome')).toEqual([...new Set(outcome)].toSorted());
  const ending = UnreleasedEnding.options.flatMap(({ shape }) => Object.keys(shape));
  expect(
    values('Ending', 'recorded')
      .filter((word) => word !== 'ending')
      .toSorted(),
  ).toEqual([...new Set(ending)].toSorted());
  expect(fields('Receipt')).toEqual(Object.keys(Receipt.shape).toSorted());
});

test('closed sets of values are listed whole', () => {
  expect(values('Receipt', 'cause')).toEqual(DisposalCause.options);
  expect(values('Receipt', 'mechanism')).toEqual(Mechanism.out.options);
  const shown = {
    ending: 'ending',
    terminated: 'terminated',
    failed: 'failed',
    unknown: 'unknown',
  } as const satisfies {
    readonly [Status in Exclude<ShownStatus, RunStatus>]: Status;
  };
  expect(fields('Status')).toEqual([...RunStatus.options, ...Object.values(shown)].toSorted());
  const interruptions = values('Outcome', 'by').filter((word) => word !== 'interrupted');
  expect(interruptions.toSorted()).toEqual(Interruption.options.toSorted());
});

test('every variant of a document is listed', () => {
  const kinds = {
    Phase: { live: 0, ended: 0, unknown: 0 } satisfies Record<Phase['kind'], 0>,
    Work: { branch: 0, ref: 0, engine: 0, 'not-made': 0, unknown: 0 } satisfies Record<Work['kind'], 0>,
    Rollback: { none: 0, done: 0, unfinished: 0 } satisfies Record<RollbackView['kind'], 0>,
    Amount: { known: 0, unknown: 0 } satisfies Record<Amount['kind'], 0>,
  };
  for (const [name, variants] of Object.entries(kinds)) expect(fields(name)).toEqual(keys(variants));
  const temporal = { known: 0, 'not-asked': 0, forgotten: 0, unreachable: 0 } satisfies Record<TemporalView['kind'], 0>;
  expect(values('Run', 'temporal')).toEqual(expect.arrayContaining(keys(temporal)));
});
