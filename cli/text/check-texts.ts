import type { CheckLine } from '../../client/view/run-view.ts';
import { checkName, checkText } from './check-text.ts';
import { palette } from '../terminal/palette.ts';

const plain = palette(false);

/** Checks in a line each, those in a row that say the same in one: "gates of rounds 1–5: refused the claim: …". */
export function checkTexts(checks: readonly CheckLine[]): string[] {
  const groups: { said: string; of: CheckLine[] }[] = [];
  for (const check of checks) {
    const said = checkText(check, plain).slice(checkName(check).length);
    const last = groups.at(-1);
    const isSame = last !== undefined && last.said === said && last.of[0]?.kind === check.kind;
    if (isSame && last.of.every(({ claimOf }) => claimOf === null) && check.claimOf === null) last.of.push(check);
    else groups.push({ said, of: [check] });
  }
  return groups.map(({ said, of }) => nameOf(of) + said);
}

function nameOf(checks: readonly CheckLine[]): string {
  const [first] = checks;
  if (first === undefined) return '';
  const rounds = [...new Set(checks.map(({ round }) => round))];
  if (rounds.length === 1) return checkName(checks.at(-1) ?? first);
  const inARow = rounds.every((round, i) => round === first.round + i);
  return `${first.kind} of rounds ${inARow ? `${first.round}–${rounds.at(-1)}` : rounds.join(', ')}`;
}
