import { z } from 'zod';

const Count = z.int().nonnegative();

const step = z.object({
  type: z.literal('step_finish'),
  part: z.object({
    reason: z.string(),
    /** `input` is without the cached ones, `output` without `reasoning`. */
    tokens: z.object({
      input: Count,
      output: Count,
      reasoning: Count,
      cache: z.object({ read: Count, write: Count }),
    }),
    cost: z.number().nonnegative().optional(),
  }),
});

const error = z.object({
  type: z.literal('error'),
  error: z.object({
    name: z.string(),
    data: z
      .object({
        message: z.string().optional(),
        statusCode: z.int().optional(),
        responseHeaders: z.record(z.string(), z.string()).optional(),
        responseBody: z.string().optional(),
      })
      .optional(),
  }),
});

/** What is read of `opencode run --format json`. */
export const OpencodeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start') }),
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({ tool: z.string(), state: z.object({ input: z.unknown() }) }),
  }),
  step,
  error,
]);
export type OpencodeStep = z.infer<typeof step>;
export type OpencodeError = z.infer<typeof error>['error'];
