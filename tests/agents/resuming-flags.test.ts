import { resumingFlag } from '../../agents/run/resuming-flags.ts';

test.each([
  ['claude -p --continue', 'claude', '--continue'],
  ['claude -c -p', 'claude', '-c'],
  ['claude -pc', 'claude', '-pc'],
  ['claude --resume=abc -p', 'claude', '--resume'],
  ['cd sub && /usr/local/bin/claude -p -r "$ID"', 'claude', '-r'],
  ['FOO=1 exec env BAR=2 claude --continue', 'claude', '--continue'],
  ['npx -y @anthropic-ai/claude-code@latest -p -c', 'claude', '-c'],
  ['timeout 600 codex exec resume --last', 'codex', 'resume'],
  ['npx @openai/codex fork', 'codex', 'fork'],
  ['tee log | gemini --resume latest', 'gemini', '--resume'],
  ['opencode run "-s" abc', 'opencode', '-s'],
  ['(opencode run -c)', 'opencode', '-c'],
])('%s is refused', (command, program, flag) => {
  expect(resumingFlag(command)).toEqual({ program, flag });
});

test.each([
  'codex exec -c model="o3" -',
  'claude -p --model x',
  'claude -p "please --continue the work"',
  'gemini -y -m m; grep -r claude .',
  'grep claude -r .',
  'node agent.mjs --continue',
  './claude-wrapper --resume',
  'opencode run --model a/b',
  'echo "claude -c"',
  '',
])('%s is let through', (command) => {
  expect(resumingFlag(command)).toBeNull();
});
