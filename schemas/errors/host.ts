import type { Catalogue } from './ralph-error.ts';

/** What can be wrong with this machine: server, worker, tools, home. */
export const hostErrors = {} as const satisfies Catalogue;
