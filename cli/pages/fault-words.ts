import { FaultCode } from '../../schemas/round/fault.ts';

interface FaultWords {
  /** What is the matter, as a clause. */
  readonly means: string;
  /** What a person can do about it; null: nothing but to look at what it printed. */
  readonly mend: string | null;
}

const KEY = 'Mend the key or login of the agent: `$RALPH_HOME/env`, then `ralph down` and `ralph up`.';

const WORDS = {
  'report-missing': { means: 'the agent ended without a report', mend: null },
  'report-invalid': { means: "the agent's report breaks its contract", mend: null },
  'report-oversized': {
    means: "the agent's report is over its limit",
    mend: 'The limit is --max-handoff-chars; a smaller objective makes smaller reports.',
  },
  'agent-crashed': { means: "the agent's program failed", mend: null },
  'budget-spent': { means: 'a budget was used up in mid-round', mend: null },
  'usage-unknown': {
    means: 'the agent does not tell what a budget is held by',
    mend: 'Leave that budget out, or choose an agent that tells.',
  },
  'agent-unavailable': {
    means: 'the agent, its container or its model cannot be had',
    mend: 'Install or allow what the message names; `ralph doctor` shows what is there.',
  },
  'setup-failed': {
    means: 'the setup command failed',
    mend: 'Mend the command, or what it needs, and start the run again.',
  },
  'round-timeout': {
    means: 'the agent was still at work at the end of its time',
    mend: 'The limit is --round-timeout.',
  },
  'idle-timeout': { means: 'the agent did nothing for too long', mend: 'The limit is --idle-timeout.' },
  'model-overloaded': { means: 'the model is overloaded', mend: null },
  network: { means: 'the model cannot be reached', mend: 'Look at the network of this machine.' },
  'rate-limited': { means: 'the model lets the agent ask no more for now', mend: null },
  'usage-limited': { means: "the plan's allowance is used up for now", mend: null },
  'bad-credentials': { means: 'the key or login of the agent is refused', mend: KEY },
  'no-credit': { means: 'the account of the agent has no credit', mend: 'Add credit to it, or use another key.' },
  refusal: {
    means: "the model's provider refused the content",
    mend: 'Say the objective otherwise, or use another model.',
  },
  'context-too-long': {
    means: 'what the agent sent did not fit the model',
    mend: 'Use a model with a larger context, or a smaller objective.',
  },
  'disk-full': { means: 'the disk is full', mend: 'Make room on the disk of RALPH_HOME.' },
  'machine-short': {
    means: 'the machine is out of memory, processes or open files',
    mend: 'End what else runs on this machine.',
  },
  'workspace-broken': {
    means: 'the workspace, or the place that gates run in, could not be made',
    mend: '`ralph doctor` shows whether the sandbox can be had.',
  },
  'disposal-unproved': {
    means: 'it could not be proved that all of an attempt is gone',
    mend: 'Look for what is left, with `ralph doctor --reap`.',
  },
  'engine-error': { means: 'a step of the engine failed', mend: 'The log of the worker tells more.' },
} as const satisfies Record<FaultCode, FaultWords>;

/** The same of an agent that reviews, where that is not as of one that works. */
const OF_A_REVIEWER: Partial<Record<FaultCode, FaultWords>> = {
  'report-missing': { means: 'the reviewer ended without a review', mend: null },
  'report-invalid': { means: "the reviewer's review breaks its contract, and the work was not judged", mend: null },
  'report-oversized': { means: "the reviewer's review is over its limit", mend: null },
  'agent-crashed': { means: "the reviewer's program failed", mend: null },
  'agent-unavailable': {
    means: 'the reviewer, its container or its model cannot be had',
    mend: WORDS['agent-unavailable'].mend,
  },
  'round-timeout': {
    means: 'the reviewer was still at work at the end of its time',
    mend: WORDS['round-timeout'].mend,
  },
  'idle-timeout': { means: 'the reviewer did nothing for too long', mend: WORDS['idle-timeout'].mend },
};

/** A fault in plain words; null: no fault of ours. `of`: whose it is. */
export function faultWords(code: string, of: 'agent' | 'reviewer'): FaultWords | null {
  const known = FaultCode.safeParse(code);
  if (!known.success) return null;
  return (of === 'reviewer' ? OF_A_REVIEWER[known.data] : undefined) ?? WORDS[known.data];
}
