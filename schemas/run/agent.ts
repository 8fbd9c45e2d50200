import { z } from 'zod';

export const ProviderName = z.enum(['claude-code', 'codex', 'gemini', 'opencode', 'command']);
export type ProviderName = z.infer<typeof ProviderName>;

/** Which agent does the rounds. `command` is the shell command of a `command` agent, null for every other provider. */
export const AgentSpec = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('command'), command: z.string().min(1), model: z.null() }),
  z.strictObject({
    provider: ProviderName.exclude(['command']),
    command: z.null(),
    model: z.string().min(1).nullable(),
  }),
]);
export type AgentSpec = z.infer<typeof AgentSpec>;
