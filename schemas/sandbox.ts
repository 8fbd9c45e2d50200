import { z } from 'zod';

export const SandboxLevel = z.enum(['read-only', 'workspace-write', 'full-access']);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** What a round may touch: a level about files, and a switch of its own for the network. */
export const Sandbox = z.strictObject({ level: SandboxLevel, network: z.boolean() });
export type Sandbox = z.infer<typeof Sandbox>;
