import type { ProviderName } from '../schemas/agent.ts';
import type { Limits } from '../schemas/run.ts';
import type { SandboxLevel } from '../schemas/sandbox.ts';

/** What a person asks for at launch. Null: not said, so the repository's ralph.json or the built-in default decides. */
export interface RunOptions {
  readonly objective: string;
  /** Any folder of the repository. */
  readonly repository: string;
  readonly base: string | null;
  readonly agent: ProviderName | null;
  readonly model: string | null;
  /** Shell command of a `command` agent. */
  readonly command: string | null;
  readonly sandbox: SandboxLevel | null;
  readonly network: boolean | null;
  /** Paths that the sandbox would hide and that are opened for reading; absolute. */
  readonly readable: readonly string[];
  /** False: none, whatever ralph.json says. */
  readonly setup: string | false | null;
  readonly runId: string | null;
  readonly limits: { readonly [Limit in keyof Limits]: Limits[Limit] | null };
}
