import type { Budgets } from '../../schemas/budget/budget.ts';
import type { Limits } from '../../schemas/run/run.ts';
import type { SandboxLevel } from '../../schemas/run/sandbox.ts';
import type { AskedAgent } from './agent-spec.ts';

/** What a person asks for at launch. Null: not said, so the repository's ralph.json or the built-in default decides. */
export interface RunOptions {
  readonly objective: string;
  /** Any folder of the repository. */
  readonly repository: string;
  readonly base: string | null;
  readonly agent: AskedAgent;
  readonly sandbox: SandboxLevel | null;
  readonly network: boolean | null;
  /** Paths that the sandbox would hide and that are opened for reading; absolute. */
  readonly readable: readonly string[];
  /** False: none, whatever ralph.json says. */
  readonly setup: string | false | null;
  /** Whether agents run the hooks and MCP servers of the repository. For flags alone. */
  readonly repositoryHooks: boolean;
  /** How a claim of completion is checked. */
  readonly checks: {
    /** Shell commands, in order. False: none, whatever ralph.json says. */
    readonly gates: readonly string[] | false | null;
    readonly gateTimeoutMs: number | null;
    readonly inPlace: boolean;
    readonly baseline: 'green' | 'allow-red' | null;
    readonly protect: readonly string[] | null;
  };
  /** False: none, whatever ralph.json says. */
  readonly reviewer: AskedAgent | false;
  /** False: none, whatever ralph.json says. */
  readonly fallbackAgent: AskedAgent | false;
  readonly budgets: Budgets;
  readonly runId: string | null;
  readonly limits: { readonly [Limit in keyof Limits]: Limits[Limit] | null };
}
