import type { Readable } from 'node:stream';
import type { Terminal } from './terminal/terminal.ts';

/** What a command gets from the process that it runs in. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly now: () => number;
  /** The exit code of a command that did its work; 0 where it is never called. */
  readonly exitWith: (code: number) => void;
}
