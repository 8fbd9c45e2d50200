import type { AgentSpec, ProviderName } from '../schemas/run/agent.ts';
import type { Fault } from '../schemas/round/fault.ts';
import type { Usage } from '../schemas/round/usage.ts';
import type { AwakeTime } from '../system/awake-time.ts';
import type { CommandExit } from './containment/containment.ts';
import type { OutputContract } from './output/output-contract.ts';

/** What a provider is told about the attempt that it is to start. All paths are absolute. */
export interface LaunchContext {
  readonly spec: AgentSpec;
  readonly runId: string;
  readonly round: number;
  readonly maxRounds: number;
  /** What the agent is to hand in. */
  readonly output: OutputContract;
  readonly tree: string;
  /** Private HOME, empty and made anew for the attempt: the provider may write settings here. */
  readonly home: string;
  /** Private folder for what it hands in, empty and made anew for the attempt. */
  readonly inbox: string;
  /** The worker's environment, to pick from by `environment` alone. */
  readonly workerEnv: WorkerEnv;
  /** Whether the user lets the hooks and MCP servers run that the repository's own settings for the program name. */
  readonly repositoryHooks: boolean;
  /** Reads a file that the agent wrote: no-follow, regular files below `inbox` only, bounded. Never rejects. */
  readonly readInboxFile: (file: string, maxBytes: number) => Promise<InboxFile>;
}

/**
 * `to`: relative to the private HOME. `login`: it holds what the agent logs in with. `renews`: JSON in which the program
 * puts new tokens when the old ones run out; those go back to the user's file.
 */
export interface HomeFile {
  readonly from: string;
  readonly to: string;
  readonly login: boolean;
  readonly renews: boolean;
}

export type WorkerEnv = Readonly<Record<string, string | undefined>>;

/** `rejected`: something that the engine does not read (a link, a FIFO, a folder, too large); `why` completes "the file …". */
export type InboxFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'rejected'; readonly why: string };

/** What a provider starts. The prompt is always stdin. */
export interface AgentCommand {
  readonly argv: readonly string[];
  /** Beside the base environment (PATH, HOME, LANG, TMPDIR …) that the engine sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders or files outside the sandbox's own that the program must be able to read. */
  readonly readable: readonly string[];
}

/** What a program has told of what it used so far; null: nothing of that. */
export interface ReportedUse {
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  /** The model that it works with. */
  readonly model: string | null;
}
export const nothingReported: ReportedUse = { usage: null, costUsd: null, model: null };

/** What is left of an agent's output when it has ended. */
export interface AgentReading {
  /** A report or review as the agent wrote it, not yet held to the contract, or what ended the attempt instead. */
  readonly report:
    { readonly kind: 'candidate'; readonly value: unknown } | { readonly kind: 'fault'; readonly fault: Fault };
  /** The agent's last words outside the report, bounded. */
  readonly finalText: string | null;
}

/** Reads one attempt's output. Holds bounded state only, however much the agent prints. */
export interface OutputReader {
  /** Take one line of stdout. @returns what the agent is doing, in one bounded line; null: nothing worth showing */
  line(text: string): string | null;
  /** Asked again and again while the agent runs, and at its end. */
  use(): ReportedUse | Promise<ReportedUse>;
  /** Whether the agent's final report or review is there, whole, so that a hang after it does no harm. */
  reported(): boolean | Promise<boolean>;
  /**
   * Whether the program goes on although its attempt has failed: it waits by itself for the end of a limit, or tries a
   * rejected key again. The engine then ends it, and `finish` says what it failed of.
   */
  hasFailed(time: Pick<AwakeTime, 'since'>): boolean | Promise<boolean>;
  /** Called once, when nothing of the attempt runs any more. */
  finish(end: AgentEnd): Promise<AgentReading>;
}

/** How the program itself ended. */
export interface AgentEnd {
  readonly exit: CommandExit;
  /** True where the engine ended it: the exit then says nothing about the agent. */
  readonly ended: boolean;
  /** The last 8 KiB of stderr. */
  readonly stderrTail: string;
}

/**
 * `install`: without a version. `login`: how one logs in with it. `leastVersion`: the oldest that has all that the
 * provider needs. `testedVersion`: the one that the tests run. `isScript`: the provider relies on a script for Node.
 */
interface AgentProgram {
  readonly name: string;
  readonly install: string;
  readonly login: string;
  readonly leastVersion: string;
  readonly testedVersion: string;
  readonly isScript: boolean;
}

/** How one kind of agent is started and read. Adding one: `docs/adding-an-agent.md`. */
export interface AgentProvider {
  readonly name: ProviderName;
  readonly capabilities: {
    /** Starts with no earlier conversation. */
    readonly freshContext: boolean;
    readonly structuredReport: boolean;
    /**
     * Whether it says by its exit code that it did what it was to do: it is then waited for after its report as well,
     * until it ends or is idle. Any other is ended soon after its report.
     */
    readonly exitCounts: boolean;
    /** Whether it states the tokens that it used, at the latest at its end. A command agent can, by its usage file. */
    readonly tellsTokens: boolean;
    /** The same of what they cost. Where it does not, a price table gives an estimate. */
    readonly tellsCost: boolean;
  };
  readonly environment: {
    /** Names handed from the worker's environment to the agent where they are set. */
    readonly passed: readonly string[];
    /** At least one of these must be set, or a login file must exist; empty: the provider needs none. */
    readonly keys: readonly string[];
  };
  /** Files of the worker's user that belong into the private HOME, by that user's environment. */
  homeFiles(workerEnv: WorkerEnv): readonly HomeFile[];
  /** Git's globs of what a repository can hold of settings of this program: none of it decides about the model. */
  readonly repositorySettings: readonly string[];
  /**
   * The program that must be on the worker's PATH, how one gets it, and how one logs in with it; null where the command
   * names its own.
   */
  readonly program: AgentProgram | null;
  /** The prompt's last words about what is asked for: how this agent hands it in. */
  howToSubmit(output: OutputContract): string;
  /** Refuse a spec that cannot be a fresh round (RalphError), before the run starts and again in the worker. */
  check(spec: AgentSpec): void;
  prepare(context: LaunchContext): Promise<AgentCommand>;
  reader(context: LaunchContext): OutputReader;
}
