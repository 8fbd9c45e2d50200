import type { Readable } from 'node:stream';
import type { DisposalCause, Mechanism, Receipt } from '../../schemas/round/receipt.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';

/** Folders as a contained command sees them; everything else depends on the sandbox's level. */
export interface Mounts {
  /** The run's working tree, the command's current folder. Read-only at level `read-only`. */
  readonly tree: string;
  /** Read-only: the engine's object store, which `tree/.git` borrows from. */
  readonly objects: string;
  /** Private HOME of this attempt, writable. */
  readonly home: string;
  /** Package caches of this run, writable. */
  readonly cache: string;
  /** Where the report file is written, writable. */
  readonly inbox: string;
  /** RALPH_HOME: masked at every bubblewrap level, but for the folders above. */
  readonly ralphHome: string;
  /** Further folders or files to be read: what the user asked for, and what the provider needs (its program). */
  readonly readable: readonly string[];
}

/** A command to run in a container. The prompt comes on stdin, from a file, never in argv. */
export interface ContainedCommand {
  readonly argv: readonly string[];
  /** The whole environment: nothing of the worker's own is added. At `full-access` the container sets TMPDIR anew. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdinFile: string;
  readonly sandbox: Sandbox;
  readonly mounts: Mounts;
  /** Where the container notes who it is before the command starts; see `fence.ts`. */
  readonly fenceFile: string;
}

export interface CommandExit {
  /** Null where a signal ended it and the mechanism can tell; else a shell's 128 + n stands for signal n. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command under way in its container. Whoever started it must dispose of it, however it ends. */
export interface Contained {
  readonly mechanism: Mechanism;
  /** Both end when the container is disposed of, not before: its own processes hold them too. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the command itself ended; what it left may still run. Never rejects. */
  readonly exited: Promise<CommandExit>;
  /**
   * Milliseconds of CPU that everything in the container has used so far, null where that cannot be known. It may fall
   * when something ends that nobody waited for: any change is a sign of work.
   */
  cpuMs(): Promise<number | null>;
  /**
   * End everything in the container: SIGTERM to the command, `graceMs` to react, then SIGKILL to all, then wait until
   * proved, for at most `proveMs`. Safe to call twice: both calls get the one receipt. Never rejects: what could not
   * be proved reads `unproved`.
   */
  dispose(how: { cause: DisposalCause; graceMs: number; proveMs: number }): Promise<Receipt>;
}

/** One way of holding a round. Chosen by probing it with the very flags it will be used with. */
export interface Containment {
  readonly mechanism: Mechanism;
  start(command: ContainedCommand): Promise<Contained>;
}
