import type { Catalogue } from './ralph-error.ts';

/** What can be wrong with a run that is asked for, or with the way to it. */
export const runErrors = {
  'no-such-run': {
    exit: 3,
    text: ({ runId, nearest }: { runId: string; nearest: readonly string[] }) =>
      `There is no run "${runId}".` +
      (nearest.length > 0 ? ` Similar ids: ${nearest.join(', ')}.` : '') +
      ' `ralph list --all` lists every run.',
  },
  'engine-mismatch': {
    exit: 1,
    text: ({ details }: { details: string }) =>
      `The worker does not understand what it was asked to do: ${details}. The worker and the command line have different versions. Run \`ralph down --force\`, then \`ralph up\`: live runs continue. If a run ended with this message, start it again.`,
  },
  'run-ended': {
    exit: 2,
    text: ({ runId, status, done, wayOut }: { runId: string; status: string; done: string; wayOut: string }) =>
      `Run "${runId}" has ended (${status}), so it cannot be ${done}. ${wayOut}`,
  },
  'no-controls-left': {
    exit: 2,
    text: ({ runId, limit }: { runId: string; limit: number }) =>
      `Run "${runId}" has already taken ${limit.toLocaleString('en')} controls (pause, resume, stop, retry, budget). The limit is ${limit.toLocaleString('en')}, so it takes no more. \`ralph cancel ${runId}\` still works. Then \`ralph resume ${runId}\` starts a follow-up.`,
  },
  'run-not-waiting': {
    exit: 2,
    text: ({ runId, does }: { runId: string; does: string }) =>
      `Run "${runId}" is not waiting, so there is no wait to end. It is ${does}. \`ralph why ${runId}\` says more.`,
  },
  'no-such-round': {
    exit: 3,
    text: ({ runId, round, rounds }: { runId: string; round: number; rounds: number }) =>
      `Run "${runId}" has no record of round ${round}: ` +
      (rounds === 0 ? 'no round has ended yet.' : `its last round is ${rounds}.`) +
      ` \`ralph show ${runId}\` lists them.`,
  },
  'nothing-printed': {
    exit: 3,
    text: ({
      runId,
      round,
      part,
      rejectedBy,
    }: {
      runId: string;
      round: number | null;
      part: 'gates' | 'review' | null;
      /** Protected paths that refused the round's claim before any gate was run. */
      rejectedBy: readonly string[];
    }) => {
      if (rejectedBy.length > 0) {
        return `No gate of run "${runId}" ran in round ${round}: its completion claim was rejected first, because the round changed protected paths: ${rejectedBy.join(', ')}. \`ralph show ${runId} --round ${round}\` shows the rejection.`;
      }
      const what = part === null ? 'neither a setup nor a gate' : part === 'gates' ? 'no gate' : 'no reviewer';
      const where = round === null ? '' : round === 0 ? ' before round 1' : ` in round ${round}`;
      return `Run "${runId}" has no such output: ${what} ran${where}. \`ralph show ${runId}\` shows its checks.`;
    },
  },
  'workspace-gone': {
    exit: 1,
    text: ({ runId, folder }: { runId: string; folder: string }) =>
      `The workspace of run "${runId}" is not on this machine: ${folder} is missing. If the run had a branch, git in your repository still shows its commits.`,
  },
  'temporal-unreachable': {
    exit: 4,
    text: ({ address, reason }: { address: string; reason: string }) =>
      `Temporal does not answer at ${address}: ${reason}. Start it, or correct TEMPORAL_ADDRESS. list, show, log and diff work without it, from the files on disk.`,
  },
  'temporal-down': {
    exit: 4,
    text: () => 'No Temporal server is running for this RALPH_HOME. `ralph up` starts one.',
  },
  'runs-live': {
    exit: 2,
    text: ({ runs }: { runs: readonly string[] }) =>
      `${runs.length === 1 ? 'A run is' : `${runs.length} runs are`} live: ${runs.join(', ')}. Cancel with \`ralph cancel RUN\`, wait, or stop anyway with \`ralph down --force\`: live runs then continue after the next \`ralph up\`.`,
  },
  'runs-unknown': {
    exit: 4,
    text: ({ reason }: { reason: string }) =>
      `Temporal cannot be asked whether runs are live: ${reason} Try again when it answers (a live worker restarts an embedded server), or stop anyway with \`ralph down --force\`: live runs then continue after the next \`ralph up\`.`,
  },
} as const satisfies Catalogue;
