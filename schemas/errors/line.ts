import type { Catalogue } from './ralph-error.ts';

/** Why a run that has ended cannot be gone on from, or be taken back. */
export const lineErrors = {
  'run-live': {
    exit: 2,
    text: ({ runId, status, done }: { runId: string; status: string; done: string }) =>
      `Run "${runId}" has not ended (${status}), so it cannot be ${done}. End it first, with \`ralph stop ${runId}\` or \`ralph cancel ${runId}\`.` +
      (done.startsWith('resumed')
        ? ` While it lives, \`ralph budget ${runId}\` raises what it may use, and \`ralph resume ${runId}\` alone lets a paused one go on.`
        : ''),
  },
  'run-state-unknown': {
    exit: 4,
    text: ({ runId, done }: { runId: string; done: string }) =>
      `Whether run "${runId}" has ended is unknown, so it cannot be ${done}: its files do not tell, and Temporal cannot be asked or does not know it. \`ralph up\` starts an embedded server.`,
  },
  'run-elsewhere': {
    exit: 2,
    text: ({ runId, host, done }: { runId: string; host: string; done: string }) =>
      `The workspace of run "${runId}" belongs to another machine or RALPH_HOME (host ${host}), so it cannot be ${done} here. Do it there, or start a new run from its branch.`,
  },
  'run-not-disposed': {
    exit: 2,
    text: ({ runId, done, folder }: { runId: string; done: string; folder: string }) =>
      `Run "${runId}" cannot be ${done}: it is not proved that everything of its last round is gone, and nothing may start beside it. \`ralph doctor --reap\` ends what dead workers left; what was not committed lies in ${folder}. Then start a new run from its branch.`,
  },
  'run-complete': {
    exit: 2,
    text: ({ runId }: { runId: string }) =>
      `Run "${runId}" is complete: there is nothing to go on with. Start a new run with a new objective, or take it back to an earlier round first (\`ralph rollback ${runId} --to ROUND\`).`,
  },
  'run-resumed': {
    exit: 2,
    text: ({ runId, successor, wayOut }: { runId: string; successor: string; wayOut: string }) =>
      `Run "${runId}" has been resumed already: ${successor} goes on from it. ${wayOut}`,
  },
  'run-left-behind': {
    exit: 2,
    text: ({ runId, why, wayOut }: { runId: string; why: string; wayOut: string }) =>
      `Run "${runId}" is no longer where its line stands: ${why}. Go on from the line's last run: ${wayOut}.`,
  },
  'line-busy': {
    exit: 1,
    text: ({ runId }: { runId: string }) =>
      `Another command (\`ralph resume\`, \`ralph rollback\` or \`ralph budget\`) is at work on run "${runId}" or another run of its line. Try again once that is done.`,
  },
  'budget-used-up': {
    exit: 2,
    text: ({ runId, budget, reason, flag }: { runId: string; budget: string; reason: string; flag: string }) =>
      `Of the ${budget} of run "${runId}" nothing is left to go on with: ${reason}. Give a new budget with ${flag}.`,
  },
  'request-altered': {
    exit: 1,
    text: ({ runId, file }: { runId: string; file: string }) =>
      `What run "${runId}" was asked for in ${file} is not what it was started with: somebody changed the file. Put it back, or start a new run.`,
  },
  'rollback-half-done': {
    exit: 2,
    text: ({ runId, round }: { runId: string; round: number }) =>
      `A rollback of run "${runId}" to round ${round} was begun and not ended. End it first: \`ralph rollback ${runId} --to ${round}\`.`,
  },
  'no-such-checkpoint': {
    exit: 2,
    text: ({ runId, round, rounds }: { runId: string; round: number; rounds: readonly number[] }) =>
      `Run "${runId}" has no checkpoint of round ${round} to be taken back to. It has those of ${rounds.join(', ')} (0: where its first round began).`,
  },
  'nothing-to-roll-back': {
    exit: 2,
    text: ({ runId, round }: { runId: string; round: number }) =>
      `Run "${runId}" stands ${round === 0 ? 'where it began' : `at round ${round}`} already: nothing came after that.`,
  },
  'rollback-not-kept': {
    exit: 1,
    text: ({ ref, path, why }: { ref: string; path: string; why: string }) =>
      `What the rollback gives up could not be kept as ${ref} in ${path}: ${why}. Nothing was moved; mend the repository and try again.`,
  },
} as const satisfies Catalogue;
