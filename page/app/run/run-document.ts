import type { Description } from '../../../client/describe/describe-ending.ts';
import type { CheckRow, RoundRow } from '../../../client/view/round-view.ts';
import type { RunView, ShownStatus } from '../../../client/view/run-view.ts';
import type { Parts } from '../link/follow-parts.ts';
import { typedParts } from '../link/typed-parts.ts';

type Run = RunView & { readonly status: ShownStatus };

/** A line that is printed right now. */
interface LiveLine {
  readonly at: number;
  readonly text: string;
  readonly activity: string | null;
}

/** What prints right now. */
interface LiveOutput {
  readonly what: 'setup' | 'agent' | 'gates' | 'review';
  readonly round: number;
  readonly name: string;
  readonly command: string | null;
}

export interface RunDocument {
  readonly run: Run;
  readonly why: Description;
  /** Null: nothing prints. */
  readonly live: { readonly output: LiveOutput; readonly lines: readonly LiveLine[] } | null;
}

type RunParts = { readonly [Field in keyof Run as `run/${Field}`]: Run[Field] } & {
  readonly why: Description;
  readonly live: LiveOutput;
  readonly problem: { readonly message: string };
} & { readonly [round: `round/${number}`]: RoundRow } & { readonly [check: `check/${number}`]: CheckRow } & {
  readonly [line: `line/${number}`]: LiveLine;
};

/** A run as its parts tell it (`page/server/watch/run-parts.ts`), or why it cannot be shown. */
export function runDocument(parts: Parts): RunDocument | { readonly problem: string } {
  const part = typedParts<RunParts>(parts);
  const whole = fieldsOf(part);
  const why = part('why');
  if (whole === null || why === null) return { problem: part('problem')?.message ?? 'It is still being read.' };
  const rounds = numbersOf(parts, 'round').flatMap((n) => part(`round/${n}`) ?? []);
  const checks = numbersOf(parts, 'check').flatMap((n) => part(`check/${n}`) ?? []);
  const output = part('live');
  const lines = numbersOf(parts, 'line').flatMap((n) => part(`line/${n}`) ?? []);
  return { run: { ...whole, rounds, checks }, why, live: output === null ? null : { output, lines } };
}

type Fields = Omit<Run, 'rounds' | 'checks'>;

/** Null: a field that no run lacks is missing. Where a field may be null, null is what it is. */
function fieldsOf(part: ReturnType<typeof typedParts<RunParts>>): Fields | null {
  const [status, runId, request, phase] = [
    part('run/status'),
    part('run/runId'),
    part('run/request'),
    part('run/phase'),
  ];
  const [spend, rollback, work] = [part('run/spend'), part('run/rollback'), part('run/work')];
  const [chain, temporal, notes] = [part('run/chain'), part('run/temporal'), part('run/notes')];
  if (status === null || runId === null || request === null || phase === null) return null;
  if (spend === null || rollback === null || work === null) return null;
  if (chain === null || temporal === null || notes === null) return null;
  const maybe = { startedAt: part('run/startedAt'), ceilings: part('run/ceilings'), folder: part('run/folder') };
  return { status, runId, request, phase, spend, rollback, work, chain, temporal, notes, ...maybe };
}

/** Numbers of the parts that are numbered, in order. */
function numbersOf(parts: Parts, kind: string): number[] {
  const numbers: number[] = [];
  for (const name of parts.keys()) if (name.startsWith(`${kind}/`)) numbers.push(Number(name.slice(kind.length + 1)));
  return numbers.toSorted((a, b) => a - b);
}
