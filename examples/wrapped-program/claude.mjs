// A `command` agent around a program: it starts Claude Code with the prompt of the round, and hands on what that prints.
//   ralph run --agent command --command 'node examples/wrapped-program/claude.mjs' --read examples/wrapped-program "…"
// The worker's keys for it: RALPH_AGENT_ENV=ANTHROPIC_API_KEY (and the like).
// The report goes to RALPH_REPORT_FILE, what it used to RALPH_USAGE_FILE, why it gave no report to RALPH_FAULT_FILE.
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { RALPH_REPORT_FILE, RALPH_USAGE_FILE, RALPH_FAULT_FILE } = process.env;
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const SCHEMA = {
  type: 'object',
  properties: {
    status: { enum: ['continue', 'complete', 'blocked'] },
    summary: TEXT,
    evidence: TEXTS,
    nextSteps: TEXTS,
    blocker: TEXT,
  },
  required: ['status', 'summary', 'evidence', 'nextSteps', 'blocker'],
  additionalProperties: false,
};

const program = spawn(
  'claude',
  [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    `--json-schema=${JSON.stringify(SCHEMA)}`,
    '--no-session-persistence',
    '--dangerously-skip-permissions',
    // Nothing of the repository's own settings decides about the model.
    '--setting-sources=user',
  ],
  // As root, it skips permissions only where it is told that it stands in a sandbox.
  { stdio: ['inherit', 'pipe', 'inherit'], env: { ...process.env, IS_SANDBOX: '1' } },
);

let result = null;
let limitEnds = null;
for await (const line of createInterface({ input: program.stdout })) {
  const event = parsed(line);
  if (event?.type === 'result') result = event;
  if (event?.type === 'rate_limit_event' && event.rate_limit_info.status === 'rejected') {
    limitEnds = new Date(event.rate_limit_info.resetsAt * 1000).toISOString();
  }
  for (const block of event?.type === 'assistant' ? event.message.content : []) console.log(block.text ?? block.name);
}
if (result?.modelUsage !== undefined) write(RALPH_USAGE_FILE, used(result));
if (result !== null && !result.is_error && result.structured_output !== undefined) {
  write(RALPH_REPORT_FILE, result.structured_output);
} else {
  const code = faultOf(result);
  if (code !== null) write(RALPH_FAULT_FILE, { code, resetAt: limitEnds, text: result.result ?? '' });
  process.exitCode = 1;
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Whole, or not there: the engine may look at any time. */
function write(file, value) {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

function used({ modelUsage, total_cost_usd: costUsd }) {
  const models = Object.values(modelUsage);
  const sum = (field) => models.reduce((total, model) => total + model[field], 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheWriteTokens: sum('cacheCreationInputTokens'),
    cacheReadTokens: sum('cacheReadInputTokens'),
    costUsd,
  };
}

/** The fault that an HTTP status stands for; null: none of the list, so that its exit code is the fault. */
function faultOf(ended) {
  if (ended === null || !ended.is_error) return null;
  if (limitEnds !== null) return 'usage-limited';
  const status = ended.api_error_status;
  if (status === 401 || status === 403) return 'bad-credentials';
  if (status === 402) return 'no-credit';
  if (status === 404) return 'agent-unavailable';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'model-overloaded' : null;
}
