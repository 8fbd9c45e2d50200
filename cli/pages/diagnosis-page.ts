import type { Diagnosis, Finding } from '../../client/connect/doctor.ts';
import type { Palette } from '../terminal/palette.ts';
import { reapedLines } from '../text/reaped-lines.ts';

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
