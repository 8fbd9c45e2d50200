import type { Catalogue } from './ralph-error.ts';

/** Why a run that has ended cannot be resumed or rolled back. */
export const chainErrors = {
  'run-live': {
    exit: 2,
    text: ({ runId, status, done }: { runId: string; status: string; done: string }) =>
      `Run "${runId}" has not ended (${status}), so it cannot be ${done}. End it first with \`ralph stop ${runId}\` or \`ralph cancel ${runId}\`.` +
      (done.startsWith('resumed')
        ? ` While it is live, \`ralph budget ${runId}\` raises its budgets, and \`ralph resume ${runId}\` without options resumes it from a pause.`
        : ''),
  },
  'run-state-unknown': {
    exit: 4,
    text: ({ runId, done }: { runId: string; done: string }) =>
      `It is unknown whether run "${runId}" has ended, so it cannot be ${done}: its files do not say, and Temporal cannot be asked or does not know the run. \`ralph up\` starts an embedded server.`,
  },
  'run-elsewhere': {
    exit: 2,
    text: ({ runId, host, done }: { runId: string; host: string; done: string }) =>
      `The workspace of run "${runId}" belongs to another machine or RALPH_HOME (host ${host}), so it cannot be ${done} here. Do it there, or start a new run from its branch.`,
  },
  'run-not-disposed': {
    exit: 2,
    text: ({ runId, done, folder }: { runId: string; done: string; folder: string }) =>
      `Run "${runId}" cannot be ${done}: processes of its last round may still be alive, and nothing may start beside them. \`ralph doctor --reap\` ends what dead workers left behind. Files that were not committed are in ${folder}. Then start a new run from its branch.`,
  },
  'run-complete': {
    exit: 2,
    text: ({ runId }: { runId: string }) =>
      `Run "${runId}" is complete, so there is nothing to resume. Start a new run with a new objective, or roll it back to an earlier round first: \`ralph rollback ${runId} --to ROUND\`.`,
  },
  'run-continued': {
    exit: 2,
    text: ({ runId, last, wayOut }: { runId: string; last: string; wayOut: string }) =>
      `Run "${runId}" was already continued as ${last}. ${wayOut}`,
  },
  'run-rolled-back': {
    exit: 2,
    text: ({ runId, last, wayOut }: { runId: string; last: string; wayOut: string }) =>
      `Run "${runId}" was rolled back to its beginning, so its chain now ends with ${last}. ${wayOut}`,
  },
  'chain-busy': {
    exit: 1,
    text: ({ runId }: { runId: string }) =>
      `Another command (\`ralph resume\`, \`ralph rollback\` or \`ralph budget\`) is changing run "${runId}" or another run of its chain. Try again when it has finished.`,
  },
  'budget-used-up': {
    exit: 2,
    text: ({ runId, budget, reason, flag }: { runId: string; budget: string; reason: string; flag: string }) =>
      `Too little is left of the ${budget} budget of run "${runId}" to resume it: ${reason}. Give a new budget with ${flag}.`,
  },
  'request-altered': {
    exit: 1,
    text: ({ runId, file }: { runId: string; file: string }) =>
      `The request of run "${runId}" in ${file} differs from the one that the run was started with: somebody changed the file. Restore it, or start a new run.`,
  },
  'state-altered': {
    exit: 1,
    text: ({ runId, file }: { runId: string; file: string }) =>
      `The state of run "${runId}" in ${file} differs from the signed copy in Temporal: somebody changed the file. Restore it, or start a new run.`,
  },
  'state-missing': {
    exit: 2,
    text: ({ runId, file, done, command }: { runId: string; file: string; done: string; command: string }) =>
      `Run "${runId}" cannot be ${done}: there is no ${file}, which holds the state to continue from. Version 0.1.0 did not write it. Start a new run from its branch: ${command}`,
  },
  'rollback-half-done': {
    exit: 2,
    text: ({ runId, round }: { runId: string; round: number }) =>
      `A rollback of run "${runId}" to round ${round} was started and did not finish. Finish it first: \`ralph rollback ${runId} --to ${round}\`.`,
  },
  'no-such-checkpoint': {
    exit: 2,
    text: ({ runId, round, rounds }: { runId: string; round: number; rounds: readonly number[] }) =>
      `Run "${runId}" has no checkpoint of round ${round}. It has checkpoints of these rounds: ${rounds.join(', ')} (0: where its first round began).`,
  },
  'nothing-to-roll-back': {
    exit: 2,
    text: ({ runId, round }: { runId: string; round: number }) =>
      `Run "${runId}" is already at ${round === 0 ? 'its beginning' : `round ${round}`}: nothing came after that.`,
  },
  'rollback-not-kept': {
    exit: 1,
    text: ({ ref, path, why }: { ref: string; path: string; why: string }) =>
      `The rolled-back rounds could not be kept as ${ref} in ${path}: ${why}. Nothing was moved. Repair the repository and try again.`,
  },
} as const satisfies Catalogue;
