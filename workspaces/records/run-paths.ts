import path from 'node:path';

const ROUNDS = 'rounds';

/** Where a run's files are. One place knows the layout below RALPH_HOME. */
export interface RunPaths {
  readonly ralphHome: string;
  readonly root: string;
  /** The frozen RunRequest. */
  readonly request: string;
  /** Which Temporal execution prepared the run first. */
  readonly execution: string;
  /** Where the loop stood when a step was asked for last (LoopState). */
  readonly state: string;
  /** How the run ended (RunEnding). */
  readonly ending: string;
  /** The ledger: one line per attempt that ended. */
  readonly index: string;
  /** The engine's own bare repository; its GIT_DIR. */
  readonly repository: string;
  /** The working tree of all rounds. */
  readonly tree: string;
  /** What `createWorkspace` made (WorkspaceState); its being there says that the workspace is whole. */
  readonly workspace: string;
  /** What the setup command made in the tree. */
  readonly setupMade: string;
  /** Which attempt the tree belongs to (Lease). */
  readonly lease: string;
  /** The last checkpoint, so that one asked for twice is made once. */
  readonly checkpoint: string;
  /** Where the run's refs in the user's repository were last put. */
  readonly published: string;
  /** How often an ended run was rolled back, and where to. */
  readonly rollbacks: string;
  /** An ended round's `tree/.git`, out of every agent's reach while it is read. */
  readonly quarantine: string;
  /** Repositories of populated submodules, which go from one `tree/.git` to the next. */
  readonly modules: string;
  /** Files under way; emptied when a round begins. */
  readonly scratch: string;
  /** Package caches of the run. */
  readonly cache: string;
  /** A clean checkout, for as long as a completion claim is checked. */
  readonly check: string;
  /** Package caches for that checkout alone: what an agent left in the run's own could turn a gate green. */
  readonly checkCache: string;
  readonly rounds: string;
}

/** Files of a step: an attempt, a setup, a gate, a review. */
export interface StepPaths {
  readonly root: string;
  /** Who makes an attempt, where it is not the run's own agent. */
  readonly agent: string;
  readonly prompt: string;
  readonly transcript: string;
  readonly stderr: string;
  /** Who holds the step's processes; written before they start. */
  readonly fence: string;
  /** Written by 0.1.0 alone, beside the outcome that holds them as well. */
  readonly receipt: string;
  readonly report: string;
  /** How the step ended, with its receipt and report; written last. */
  readonly outcome: string;
  /** What the agent came to, until the outcome is written (Reading). */
  readonly reading: string;
  /** Private HOME, removed when the step ends. */
  readonly home: string;
  /** Where a `command` agent writes its report; removed when the step ends. */
  readonly inbox: string;
}

export function runsFolder(ralphHome: string): string {
  return path.join(ralphHome, 'runs');
}

export function runPaths(ralphHome: string, runId: string): RunPaths {
  const root = path.join(runsFolder(ralphHome), runId);
  return {
    ralphHome,
    root,
    request: path.join(root, 'request.json'),
    execution: path.join(root, 'execution.json'),
    state: path.join(root, 'state.json'),
    ending: path.join(root, 'ending.json'),
    index: path.join(root, 'index.jsonl'),
    repository: path.join(root, 'repository.git'),
    tree: path.join(root, 'tree'),
    workspace: path.join(root, 'workspace.json'),
    setupMade: path.join(root, 'setup-made.json'),
    lease: path.join(root, 'claim.json'),
    checkpoint: path.join(root, 'checkpoint.json'),
    published: path.join(root, 'published.json'),
    rollbacks: path.join(root, 'rollback.json'),
    quarantine: path.join(root, 'quarantine'),
    modules: path.join(root, 'modules'),
    scratch: path.join(root, 'scratch'),
    cache: path.join(root, 'cache'),
    check: path.join(root, 'check'),
    checkCache: path.join(root, 'check-cache'),
    rounds: path.join(root, ROUNDS),
  };
}

/** What a name starts with, before its number, in a run's `rounds` and below. */
const PREFIXES = { round: '', attempt: 'attempt-', gates: 'gates-', command: 'step-', review: 'review-' } as const;
type NumberedFolder = keyof typeof PREFIXES;

const folderName = (kind: NumberedFolder, number: number): string => `${PREFIXES[kind]}${number}`;

/** The numbers of one kind of folder among a folder's names, in order. */
export function numbersOf(kind: NumberedFolder, names: readonly string[]): number[] {
  const prefix = PREFIXES[kind];
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .toSorted((a, b) => a - b);
}

export function attemptPaths(run: RunPaths, round: number, attempt: number): StepPaths {
  return pathsIn(path.join(run.root, attemptFolder(round, attempt)));
}

/** The folder of an attempt, below the run's. */
export const attemptFolder = (round: number, attempt: number): string =>
  path.join(ROUNDS, folderName('round', round), folderName('attempt', attempt));

/** A run of the gates after a round; 0: before the first. */
export function checkPaths(run: RunPaths, round: number, check: number) {
  const root = path.join(roundFolder(run, round), folderName('gates', check));
  return {
    root,
    /** The GateCheck, written last. */
    record: path.join(root, 'check.json'),
    /** Its commands in order: 0 is the setup, 1 the first gate. */
    step: (number: number): StepPaths => pathsIn(path.join(root, folderName('command', number))),
  };
}
export type CheckPaths = ReturnType<typeof checkPaths>;

export function reviewPaths(run: RunPaths, round: number, review: number): StepPaths {
  return pathsIn(path.join(roundFolder(run, round), folderName('review', review)));
}

/** Where the loop stood when the round was asked for first (LoopState). */
export const roundStatePath = (run: RunPaths, round: number): string =>
  path.join(roundFolder(run, round), 'state.json');

export function roundFolder(run: RunPaths, round: number): string {
  return path.join(run.rounds, folderName('round', round));
}

function pathsIn(root: string): StepPaths {
  return {
    root,
    agent: path.join(root, 'agent.json'),
    prompt: path.join(root, 'prompt.md'),
    transcript: path.join(root, 'transcript.jsonl'),
    stderr: path.join(root, 'stderr.log'),
    fence: path.join(root, 'fence.json'),
    receipt: path.join(root, 'receipt.json'),
    report: path.join(root, 'report.json'),
    outcome: path.join(root, 'outcome.json'),
    reading: path.join(root, 'reading.json'),
    home: path.join(root, 'home'),
    inbox: path.join(root, 'inbox'),
  };
}
