import { faultOfSentence, serverSentence } from '../../agents/faults/server-sentences.ts';

/** What model servers were seen to say, and the servers behind which people put their programs. */
test.each([
  ['Output blocked by content filtering policy', 'refusal'],
  ['The model response was blocked due to safety settings.', 'refusal'],
  ['The model response was blocked due to recitation/copyright filters.', 'refusal'],
  ['The model response was blocked due to other policy settings.', 'refusal'],
  ["The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", 'refusal'],
  ['Your request was rejected as a result of our safety system.', 'refusal'],
  ['Invalid prompt: your prompt was flagged as potentially violating our usage policy.', 'refusal'],
  ['Input blocked by guardrail', 'refusal'],
  ['prompt is too long: 250000 tokens > 200000 maximum', 'context-too-long'],
  ['input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 'context-too-long'],
  ["This model's maximum context length is 128000 tokens. However, you requested 130000.", 'context-too-long'],
  ["This endpoint's maximum context length is 131072 tokens.", 'context-too-long'],
  ['Your input exceeds the context window of this model.', 'context-too-long'],
  ['The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).', 'context-too-long'],
  ['Input is too long for requested model.', 'context-too-long'],
  ['Your credit balance is too low to access the Anthropic API.', 'no-credit'],
  ['Insufficient Balance', 'no-credit'],
  ['Insufficient credits. Add more using https://example.invalid/credits', 'no-credit'],
  ['This request requires more credits, or fewer max_tokens.', 'no-credit'],
  ['To use Codex with your ChatGPT plan, upgrade to Plus: https://example.invalid', 'no-credit'],
  ['invalid x-api-key', 'bad-credentials'],
  ['Incorrect API key provided: sk-fake. You can find your API key elsewhere.', 'bad-credentials'],
  ['API key not valid. Please pass a valid API key.', 'bad-credentials'],
  ['API key expired. Please renew the API key.', 'bad-credentials'],
  ['This organization has been disabled.', 'bad-credentials'],
  ['Your authentication token has been invalidated. Please try signing in again.', 'bad-credentials'],
  ['No API key found in request', 'bad-credentials'],
  ['The model `gpt-9` does not exist or you do not have access to it.', 'agent-unavailable'],
  ["The 'gpt-9' model is not supported when using Codex with a ChatGPT account.", 'agent-unavailable'],
  ['The requested model "x/y:free" is not available.', 'agent-unavailable'],
  ['models/gemini-9 is not found for API version v1beta, or is not supported.', 'agent-unavailable'],
  ['model: claude-9 not found', 'agent-unavailable'],
  ['The model `llama-2` has been decommissioned and is no longer supported.', 'agent-unavailable'],
  ['Unknown model: m', 'agent-unavailable'],
  ['User location is not supported for the API use.', 'agent-unavailable'],
  ['Country, region, or territory not supported', 'agent-unavailable'],
])('"%s" is %s', (sentence, code) => {
  expect(faultOfSentence(sentence)).toBe(code);
});

test.each([
  'messages.3.content: text content blocks must be non-empty',
  'tools.0.custom.input_schema: JSON schema is invalid',
  "Unsupported parameter: 'temperature' is not supported with this model.",
  'The file README.md says: API key not valid, model not found, output blocked by content policy.',
  'rate limit exceeded',
  'Internal server error',
  '',
])('"%s" states none of these', (sentence) => {
  expect(faultOfSentence(sentence)).toBeNull();
});

test.each([
  ['{"detail":"The model m is not supported."}', 'The model m is not supported.'],
  ['{"error":{"message":"no such model m","code":null}}', 'no such model m'],
  ['{"error":"Unauthorized"}', 'Unauthorized'],
  ['{"message":"Payment required"}', 'Payment required'],
  ['{"error":', '{"error":'],
  ['words as they are ', 'words as they are'],
])('of %s the sentence is "%s"', (text, sentence) => {
  expect(serverSentence(text)).toBe(sentence);
});
