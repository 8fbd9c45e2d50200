import type { Catalogue } from './ralph-error.ts';

/** Why a sandbox or a container cannot be had. */
export const containmentErrors = {
  'sandbox-unavailable': {
    exit: 2,
    text: ({ level, cause, wayOut }: { level: string; cause: string; wayOut: string }) =>
      `The sandbox level "${level}" cannot be enforced on this machine, so nothing was started: ${cause}. ${wayOut}`,
  },
  'network-switch-unavailable': {
    exit: 2,
    text: ({ cause, wayOut }: { cause: string; wayOut: string }) =>
      `The network cannot be switched off for agents on this machine, so nothing was started: ${cause}. ${wayOut}`,
  },
  'sandbox-not-of-worker': {
    exit: 2,
    text: ({ pid, cause }: { pid: number; cause: string }) =>
      `The sandbox can be enforced from this shell, but not by the live worker (pid ${pid}), which has the PATH of the shell that started it. Restart it with ralph down, ralph up. The worker found: ${cause}`,
  },
  'container-failed': {
    exit: 1,
    text: ({ mechanism, cause }: { mechanism: string; cause: string }) =>
      `The container (${mechanism}) did not start, so its command did not run: ${cause}. \`ralph doctor\` shows what this machine supports, and what to install or allow.`,
  },
  'machine-short': {
    exit: 1,
    text: ({ cause }: { cause: string }) =>
      `The machine has no room for another round (processes, memory, open files or disk), so nothing was started: ${cause}. Free some of it. A live run tries again by itself.`,
  },
  'attempt-fenced-off': {
    exit: 1,
    text: ({ fenceFile }: { fenceFile: string }) =>
      `The attempt was not started: a later attempt of the run came first (${fenceFile}). This happens when a worker that was stopped or cut off comes back. You need not do anything.`,
  },
} as const satisfies Catalogue;
