import type { GateLine } from './round-view.ts';

const MAX_CHARS = 200;

/** Sentences by which shells, npm, yarn, pnpm, make, cargo and just say that what they were to run is not there. */
const MISSING = [
  /^(\/\S*\/)?(ba|da)?sh: (line )?\d+: .+: (command )?not found$/,
  /Missing script: /,
  /Unknown command: /,
  /ERR_PNPM_NO_SCRIPT/,
  /^error Command ".+" not found/,
  /Couldn't find a script named /,
  /No rule to make target/,
  /no such command: /,
  /does not contain recipe/,
] as const;
/** What programs close with that tells nothing. */
const IDLE = /^npm notice\b|^npm (error|ERR!)(\s*$| A complete log of this run)|^Node\.js v\d/;
/** A test that failed, as TAP says it; not one that may. */
const FAILED_TEST = /^not ok\b(?!.*# (TODO|SKIP)\b)/i;
/** The message of an error, as JavaScript, Python and Java put it above or below its stack. */
const ERROR =
  /^(Uncaught |Exception in thread "[^"]*" )?([\w$]+\.)*[A-Z][\w$]*(Error|Exception)( \[\w+\])?: \S|^Error: \S/;

/**
 * What a program that failed said, in one line: that something is missing, the first test of TAP that failed, its last
 * error, or else its last line. Null: nothing.
 */
export function tellingLine(output: string): string | null {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !IDLE.test(line));
  const line =
    lines.findLast(saysMissing) ??
    lines.find((each) => FAILED_TEST.test(each)) ??
    lines.findLast((each) => ERROR.test(each)) ??
    lines.at(-1);
  if (line === undefined) return null;
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
}

/** Whether it says that the command itself is not there, so that nothing was tested. */
export const saysMissing = (line: string): boolean => MISSING.some((sentence) => sentence.test(line));

/**
 * Why a gate failed in a way that no work on the objective can change, because what it runs is not there; null: it did
 * not.
 */
export function missing({ result, exitCode, said }: GateLine): string | null {
  if (result !== 'failed') return null;
  if (exitCode === 127) return 'the command was not found';
  if (exitCode === 126) return 'the command cannot be executed';
  return said !== null && saysMissing(said) ? 'what it runs does not exist' : null;
}
