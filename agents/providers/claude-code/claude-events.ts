import { z } from 'zod';

const Block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z.object({ type: z.string() }),
]);

const Tokens = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadInputTokens: z.int().nonnegative(),
  cacheCreationInputTokens: z.int().nonnegative(),
});

/** The output is what was there when the message began. */
const MessageUsage = z.object({
  input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  cache_creation_input_tokens: z.int().nonnegative().nullish(),
  cache_read_input_tokens: z.int().nonnegative().nullish(),
});

const assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string().optional(),
    model: z.string().optional(),
    content: z.array(Block),
    usage: MessageUsage.optional().catch(undefined),
  }),
  /** Set where a subagent speaks. */
  parent_tool_use_id: z.string().nullish(),
  /** On a message that the program made itself, to say that the API failed: one of a closed set. */
  error: z.string().optional(),
});

const result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  structured_output: z.unknown().optional(),
  stop_reason: z.string().nullish(),
  terminal_reason: z.string().optional(),
  api_error_status: z.int().nullish(),
  api_error: z.string().optional(),
  total_cost_usd: z.number().nonnegative().optional(),
  /** By model, subagents and side calls included. */
  modelUsage: z.record(z.string(), Tokens).optional(),
});

/** `resetsAt`: Unix seconds. */
const rateLimit = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().optional() }),
});

const retry = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.int(),
  error_status: z.int().nullish(),
  error: z.string().optional(),
});

/** What is read of Claude Code's `--output-format stream-json`. */
export const ClaudeEvent = z.discriminatedUnion('type', [assistant, result, rateLimit, retry]);
export type ClaudeEvent = z.infer<typeof ClaudeEvent>;
export type ClaudeMessage = z.infer<typeof assistant>;
export type ClaudeRetry = z.infer<typeof retry>;
export type ClaudeResult = z.infer<typeof result>;
