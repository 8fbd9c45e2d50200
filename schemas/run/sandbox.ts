import { z } from 'zod';

export const SandboxLevel = z.enum(['read-only', 'workspace-write', 'full-access']);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** What a round may touch: a level about files, a switch of its own for the network, and what the user opened. */
export const Sandbox = z.strictObject({
  level: SandboxLevel,
  network: z.boolean(),
  /** Absolute paths that the sandbox would hide and the user opened for reading, say a `command` agent's own script. */
  readable: z.array(z.string().startsWith('/')),
});
export type Sandbox = z.infer<typeof Sandbox>;
