import type { AgentSpec, ProviderName } from '../schemas/agent.ts';
import type { Fault } from '../schemas/fault.ts';
import type { Usage } from '../schemas/usage.ts';
import type { CommandExit } from './containment/containment.ts';

/** What a provider is told about the attempt that it is to start. All paths are absolute. */
export interface LaunchContext {
  readonly spec: AgentSpec;
  readonly runId: string;
  readonly round: number;
  readonly maxRounds: number;
  readonly tree: string;
  /** Private HOME, empty and made anew for the attempt: the provider may write settings here. */
  readonly home: string;
  /** Private folder for the report, empty and made anew for the attempt. */
  readonly inbox: string;
  /** The worker's environment, to pick from by `environment.passed` alone. */
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
}

/** What a provider starts. The prompt is always stdin. */
export interface AgentCommand {
  readonly argv: readonly string[];
  /** Beside the base environment (PATH, HOME, LANG, TMPDIR …) that the engine sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders or files outside the sandbox's own that the program must be able to read. */
  readonly readable: readonly string[];
}

/** What an agent is doing, in one bounded line, for whoever follows the round. */
export interface Progress {
  readonly activity: string;
  readonly usage: Usage | null;
}

/** What is left of an agent's output when it has ended. */
export interface AgentReading {
  /** A report as the agent wrote it, not yet held to the contract, or what ended the attempt instead. */
  readonly report:
    { readonly kind: 'candidate'; readonly value: unknown } | { readonly kind: 'fault'; readonly fault: Fault };
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  /** The agent's last words outside the report, bounded. */
  readonly finalText: string | null;
}

/** Reads one attempt's output. Holds bounded state only, however much the agent prints. */
export interface OutputReader {
  /** One line of stdout. Null: nothing worth showing. */
  line(text: string): Progress | null;
  /** Whether the output so far holds the agent's final report, so that a hang after it does no harm. */
  readonly reported: boolean;
  /** Called once, when nothing of the attempt runs any more. `stderrTail`: its last 8 KiB. */
  finish(end: { exit: CommandExit; stderrTail: string }): Promise<AgentReading>;
}

/** How one kind of agent is started and read. Adding one: `docs/adding-an-agent.md`. */
export interface AgentProvider {
  readonly name: ProviderName;
  readonly capabilities: {
    /** Starts with no earlier conversation. */
    readonly freshContext: boolean;
    readonly structuredReport: boolean;
  };
  readonly environment: {
    /** Names handed from the worker's environment to the agent where they are set. */
    readonly passed: readonly string[];
    /** At least one of these must be set, or a login file must exist; empty: the provider needs none. */
    readonly keys: readonly string[];
  };
  /** The program that must be on the worker's PATH, null where the command names its own. */
  readonly program: string | null;
  /** Refuse a spec that cannot be a fresh round (RalphError), before the run starts and again in the worker. */
  check(spec: AgentSpec): void;
  prepare(context: LaunchContext): Promise<AgentCommand>;
  reader(context: LaunchContext): OutputReader;
}
