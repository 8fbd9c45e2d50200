import type { Diagnosis, Finding } from '../../client/connect/doctor.ts';
import type { Palette } from '../terminal/palette.ts';
import type { Reaped } from '../../host/worker-process/reap-lost.ts';
import { receiptLines } from '../../client/describe/receipt-words.ts';

/** The page of `ralph doctor`. */
export function diagnosisPage({ machine, containment, agents, reaped }: Diagnosis, paint: Palette): string[] {
  return [
    paint.strong('Programs'),
    ...findings(machine, paint),
    '',
    paint.strong('Sandbox levels'),
    ...findings(containment, paint),
    '',
    paint.strong('Agents'),
    ...findings(agents, paint),
    ...(reaped === null ? [] : ['', paint.strong('Left by dead workers'), ...reapedOrNone(reaped)]),
  ];
}

function findings(all: readonly Finding[], paint: Palette): string[] {
  const width = Math.max(...all.map(({ what }) => what.length)) + 2;
  return all.map(({ what, ok, detail }) => `  ${ok ? paint.good('✓') : paint.bad('✗')} ${what.padEnd(width)}${detail}`);
}

function reapedOrNone(reaped: NonNullable<Diagnosis['reaped']>): string[] {
  const lines = reapedLines(reaped);
  return lines.length === 0 ? ['  nothing'] : lines.map((line) => `  ${line}`);
}

/** What dead workers had left, and how it ended, in lines. */
export function reapedLines(reaped: readonly Reaped[]): string[] {
  return reaped.flatMap(({ runId, round, attempt, folder, receipt }) => {
    const where = round > 0 ? `round ${round}` : attempt === null ? 'before round 1' : 'setup';
    const what = attempt === null ? folder : `attempt ${attempt}`;
    return [
      `Left by a worker that died: ${runId}, ${where}, ${what}`,
      ...receiptLines(receipt).map((line) => `  ${line}`),
    ];
  });
}
