import { CommanderError } from 'commander';
import { RalphError } from '../../schemas/errors/index.ts';
import type { Palette } from '../terminal/palette.ts';
import { printableLine } from '../../system/printable.ts';

const INTERNAL = 1;
const USAGE = 2;

/** What a command that failed says on stderr, and its exit code. Text is null where everything was said already. */
export interface Failure {
  readonly text: string | null;
  readonly exit: number;
}

function usage(error: CommanderError, command: string): Failure {
  // Help and version are thrown as well, once they are printed.
  if (error.exitCode === 0) return { text: null, exit: 0 };
  const text = error.message.replace(/^error: /, '').replace(/[.\n]*\(Did you mean (.*)\?\)$/s, '. Did you mean $1?');
  return { text: `${text.replace(/([^.?])$/, '$1.')} See \`${command} --help\`.`, exit: USAGE };
}

/** `debug`: show the stack of a defect. An error that a person can fix never has one. */
export function failureOf(error: unknown, how: { command: string; debug: boolean }): Failure {
  if (error instanceof CommanderError) return usage(error, how.command);
  if (error instanceof RalphError) return { text: error.message, exit: error.exit };
  const cause = error instanceof Error ? error : new Error(String(error));
  const hint = 'This is a defect of durable-ralph; RALPH_DEBUG=1 shows where it happened.';
  const text = how.debug ? (cause.stack ?? cause.message) : `Internal error: ${cause.message}. ${hint}`;
  return { text, exit: INTERNAL };
}

/** One paragraph without control characters, as messages may quote what others wrote. */
export function errorText(failure: { text: string }, paint: Palette, debug: boolean): string {
  const text = debug ? failure.text : printableLine(failure.text);
  return `${paint.bad('error:')} ${text}`;
}
