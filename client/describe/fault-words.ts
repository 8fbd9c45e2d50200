import { FaultCode } from '../../schemas/round/fault.ts';

interface FaultWords {
  /** What is the matter, as a clause. */
  readonly means: string;
  /** What a person can do about it; null: nothing but to read what it printed. */
  readonly remedy: string | null;
}

const KEY = 'Correct the key or login of the agent in `$RALPH_HOME/env`, then run `ralph down` and `ralph up`.';

const LOGIN = 'Log in again with the program of the agent, as the user whose worker runs; then `ralph resume`.';

const WORDS = {
  'report-missing': { means: 'the agent ended without a report', remedy: null },
  'report-invalid': { means: "the agent's report breaks its contract", remedy: null },
  'report-oversized': {
    means: "the agent's report is over its limit",
    remedy: 'The limit is --max-handoff-chars; a smaller objective makes smaller reports.',
  },
  'agent-crashed': { means: "the agent's program failed", remedy: null },
  'budget-spent': { means: 'a budget was used up during the round', remedy: null },
  'usage-unknown': {
    means: 'the agent does not report the usage that a budget limits',
    remedy: 'Leave that budget out, or choose an agent that reports it.',
  },
  'agent-unavailable': {
    means: 'the agent or its model is not available',
    remedy: 'Install or allow what the message names; `ralph doctor` shows what is available.',
  },
  'setup-failed': {
    means: 'the setup command failed',
    remedy: 'Correct the command, or what it needs, and start the run again.',
  },
  'round-timeout': {
    means: 'the agent was still working at its time limit',
    remedy: 'The limit is --round-timeout.',
  },
  'idle-timeout': { means: 'the agent did nothing for too long', remedy: 'The limit is --idle-timeout.' },
  'model-overloaded': { means: 'the model is overloaded', remedy: null },
  network: { means: 'the model cannot be reached', remedy: 'Check the network of this machine.' },
  'rate-limited': { means: 'the model rejects further requests for now', remedy: null },
  'usage-limited': { means: 'the usage limit of the plan is reached', remedy: null },
  'bad-credentials': { means: 'the key or login of the agent is rejected', remedy: KEY },
  'no-credit': { means: 'the account of the agent has no credit', remedy: 'Add credit to it, or use another key.' },
  refusal: {
    means: "the model's provider refused the content",
    remedy: 'Rephrase the objective, or use another model.',
  },
  'context-too-long': {
    means: "the agent's request did not fit into the model's context",
    remedy: 'Use a model with a larger context, or a smaller objective.',
  },
  'disk-full': { means: 'the disk is full', remedy: 'Free space on the disk of RALPH_HOME.' },
  'machine-short': {
    means: 'the machine is out of memory, processes or open files',
    remedy: 'Stop other programs on this machine.',
  },
  'workspace-broken': {
    means: 'the workspace, the place where gates run, or the sandbox could not be made',
    remedy: '`ralph doctor` shows whether the sandbox is available.',
  },
  'disposal-unproved': {
    means: 'it could not be proved that all processes of an attempt are gone',
    remedy: '`ralph doctor --reap` looks for processes that are left, and ends them.',
  },
  'engine-error': { means: 'a step of the engine failed', remedy: 'The log of the worker has the details.' },
} as const satisfies Record<FaultCode, FaultWords>;

/** The same for a reviewer, where it differs. */
const OF_A_REVIEWER: Partial<Record<FaultCode, FaultWords>> = {
  'report-missing': { means: 'the reviewer ended without a review', remedy: null },
  'report-invalid': { means: "the reviewer's review breaks its contract, so the work was not reviewed", remedy: null },
  'report-oversized': { means: "the reviewer's review is over its limit", remedy: null },
  'agent-crashed': { means: "the reviewer's program failed", remedy: null },
  'agent-unavailable': {
    means: 'the reviewer or its model is not available',
    remedy: WORDS['agent-unavailable'].remedy,
  },
  'round-timeout': {
    means: 'the reviewer was still working at its time limit',
    remedy: WORDS['round-timeout'].remedy,
  },
  'idle-timeout': { means: 'the reviewer did nothing for too long', remedy: WORDS['idle-timeout'].remedy },
};

/** A fault in plain words; null: no fault of ours. `of`: whose it is. `login`: whether a login was rejected, not a key. */
export function faultWords(code: string, of: 'agent' | 'reviewer', login = false): FaultWords | null {
  if (code === 'bad-credentials' && login) return { means: 'the login of the agent is rejected', remedy: LOGIN };
  const known = FaultCode.safeParse(code);
  if (!known.success) return null;
  return (of === 'reviewer' ? OF_A_REVIEWER[known.data] : undefined) ?? WORDS[known.data];
}
