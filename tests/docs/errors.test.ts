import { type EndedStatus, type Ending, statusOf } from '../../client/view/run-view.ts';
import { endedBy } from '../support/run-view.ts';
import { readFileSync } from 'node:fs';
import { exitCodeOf } from '../../cli/exit-codes.ts';
import { errorCatalogue } from '../../schemas/errors/index.ts';
import { Interruption } from '../../schemas/round/fault.ts';
import { section, tableRows } from './tables.ts';
import {
  type Backoff,
  faultPolicy,
  type FaultPolicy,
  MAX_TRANSIENT_FAULTS,
} from '../../workflows/decide/fault-policy.ts';

const page = readFileSync('docs/errors.md', 'utf8');

test('every error has a heading with its exit code, and no heading is of an error that does not exist', () => {
  const headings = Array.from(page.matchAll(/^### (\S+)\n\nExit (\d)\. \S/gm), ([, code, exit]) => `${code} ${exit}`);
  const errors = Object.entries(errorCatalogue).map(([code, { exit }]) => `${code} ${exit}`);
  expect(headings.toSorted()).toEqual(errors.toSorted());
});

test('every fault is listed with what it costs and how long is waited', () => {
  const rows = tableRows(section(page, '## Faults'));
  const listed = rows.map(([code, , ...cost]) => [unquoted(code), ...cost]);
  const stated = Object.entries(faultPolicy).map(([code, policy]) => [code, ...costOf(policy)]);
  expect(listed).toEqual(stated);
  expect(page).toContain(`up to ${MAX_TRANSIENT_FAULTS} such faults in a row`);
});

test('everything that ends an attempt from outside is named', () => {
  const paragraph = page.slice(page.indexOf('What ends an attempt from outside'), page.indexOf('## Requests'));
  for (const by of Interruption.options) expect(paragraph).toContain(`\`${by}\``);
});

const brief = (status: EndedStatus): Ending => ({ kind: 'brief', status, why: null });

test('every exit code of a run is listed with its status', () => {
  const rows = tableRows(section(page, '## Exit codes'));
  const listed = rows.slice(0, -1).map(([exit, status]) => [unquoted(status), exit]);
  const ended: Ending[] = [
    ...(['complete', 'blocked', 'budget-limited', 'stalled', 'round-failed', 'cancelled'] as const).map(brief),
    { kind: 'terminated' },
    brief('stopped'),
  ];
  const exits = ended.map((how) => [statusOf(endedBy(how)), String(exitCodeOf(endedBy(how)))]);
  expect(listed).toEqual(exits);
});

const unquoted = (cell: string | undefined): string => String(cell).replaceAll('`', '');

function costOf(policy: FaultPolicy): [costs: string, waits: string] {
  switch (policy.charge) {
    case 'round':
      return ['the round', inWords(policy.backoff)];
    case 'report':
      return ['the report', inWords(policy.backoff)];
    case 'transient':
      return ['not charged', inWords(policy.backoff)];
    case 'limit':
      return ['waits', inWords(policy.backoff)];
    case 'final':
      return ['ends the run', ''];
    default:
      return policy satisfies never;
  }
}

function inWords({ firstMs, mostMs }: Backoff): string {
  return firstMs === 0 ? 'at once' : `${time(firstMs)}, doubling to ${time(mostMs)}`;
}

const time = (ms: number): string => (ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`);
