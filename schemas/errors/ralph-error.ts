import type { ErrorCode } from './index.ts';

/** Exit codes of the command line. Runs that ended have their own, see `docs/errors.md`. */
export type ErrorExit = 1 | 2 | 3 | 4;

/** What a catalogue of errors holds: the exit code and the text, with the value, the limit and the way out. */
export type Catalogue = Record<string, { readonly exit: ErrorExit; readonly text: (facts: never) => string }>;

/** A fault that a person can read and act on. Anything else that is thrown is a defect of ours. */
export class RalphError extends Error {
  override readonly name = 'RalphError';
  readonly code: ErrorCode;
  readonly exit: ErrorExit;

  constructor(code: ErrorCode, exit: ErrorExit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.exit = exit;
  }
}
