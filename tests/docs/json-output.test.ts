import { readFileSync } from 'node:fs';
import { DisposalCause, Mechanism, Receipt } from '../../schemas/round/receipt.ts';
import { Interruption } from '../../schemas/round/fault.ts';
import { RunStatus } from '../../schemas/loop/memo.ts';
import { AttemptOutcome } from '../../schemas/round/round.ts';
import { UnreleasedEnding } from '../../schemas/run/result.ts';
import { here } from '../cli/support/here.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { type Scratch, scratch } from '../cli/support/ralph.ts';
import { section, tableRows } from './tables.ts';

const page = readFileSync('docs/json-output.md', 'utf8');
const words = (text: string | undefined): string[] =>
  Array.from(String(text).matchAll(/`([^`]+)`/g), ([, word]) => String(word));
const rows = (heading: string): string[][] => tableRows(section(page, `## ${heading}`));
const fields = (...headings: string[]): string[] =>
  headings.flatMap((heading) => rows(heading).flatMap(([names]) => words(names))).toSorted();
/** What the page says of one field. */
const values = (heading: string, field: string): string[] =>
  words(rows(heading).find(([names]) => words(names).includes(field))?.[1]);
const keys = (value: unknown): string[] => Object.keys(Object(value)).toSorted();
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

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

test('what list, show, log, status and doctor print has the documented fields', async () => {
  expect(keys(first(await print('list')))).toEqual(fields('Run in a list'));
  const run = Object(await print('show', 'widgets-k3f9x'));
  expect(keys(run)).toEqual(fields('Run in a list', 'Run'));
  expect(keys(first(run.rounds))).toEqual(fields('Round in a table'));
  expect(keys(run.receipt)).toEqual(fields('Receipt'));
  for (const field of ['base', 'agentSpec', 'sandbox', 'limits'])
    expect(values('Run', field)).toEqual(keysOf(run[field]));
  const round = Object(await print('show', 'widgets-k3f9x', '--round', '1'));
  expect(keys(round)).toEqual(fields('Round'));
  expect(keys(first(round.attempts))).toEqual(fields('Attempt'));
  expect(keys(await print('log', 'widgets-k3f9x'))).toEqual(fields('Line'));
  expect(keys(await print('why', 'widgets-k3f9x'))).toEqual(fields('Why'));
  const services = Object(await print('status'));
  expect(keys(services)).toEqual(fields('Services'));
  expect(values('Services', 'temporal')).toEqual(expect.arrayContaining(keysOf(services.temporal)));
  expect(keys(await print('doctor', '--reap'))).toEqual(fields('Diagnosis'));
});

const keysOf = (value: unknown): string[] => Object.keys(Object(value));

test('outcomes and endings have the documented fields, whatever their kind', () => {
  const outcome = AttemptOutcome.options.flatMap(({ shape }) => Object.keys(shape));
  expect(fields('Outcome')).toEqual([...new Set(outcome)].toSorted());
  const ending = UnreleasedEnding.options.flatMap(({ shape }) => Object.keys(shape));
  expect(values('Run', 'ending').toSorted()).toEqual([...new Set(ending)].toSorted());
  expect(fields('Receipt')).toEqual(Object.keys(Receipt.shape).toSorted());
});

test('closed sets of values are listed whole', () => {
  expect(values('Receipt', 'cause')).toEqual(DisposalCause.options);
  expect(values('Receipt', 'mechanism')).toEqual(Mechanism.options);
  expect(values('Run in a list', 'status')).toEqual([...RunStatus.options, 'terminated', 'failed', 'unknown']);
  const interruptions = values('Outcome', 'by').filter((word) => word !== 'interrupted');
  expect(interruptions.toSorted()).toEqual(Interruption.options.toSorted());
});
