import type { Catalogue } from './ralph-error.ts';

/** Why an agent or its containment cannot be used. */
export const agentErrors = {} as const satisfies Catalogue;
