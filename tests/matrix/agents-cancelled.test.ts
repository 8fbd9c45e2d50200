import { existsSync } from 'node:fs';
import path from 'node:path';
import { programRound } from '../fixtures/agents/program-round.ts';
import { claudeCode, codex, gemini, opencode } from '../fixtures/agents/programs.ts';
import { runningWith } from '../fixtures/agents/running-with.ts';

test.each([claudeCode, codex, gemini, opencode])(
  'the real $spec.provider, cancelled in a tool call with nohup and setsid children, leaves none of them',
  async (program) => {
    const mark = `9${process.hrtime.bigint() % 1_000_000_000n}`;
    const children = `nohup sleep ${mark} >/dev/null 2>&1 & setsid sleep ${mark} >/dev/null 2>&1 & touch armed; sleep ${mark}`;
    const abort = new AbortController();
    let alive: number[] = [];
    const run = await programRound(program, {
      steps: [program.shell(children)],
      signal: abort.signal,
      watch: (tree) => {
        if (!existsSync(path.join(tree, 'armed')) || alive.length >= 3) return;
        alive = runningWith(`sleep ${mark}`);
        if (alive.length >= 3) abort.abort();
      },
    });
    run.workspace.remove();
    expect(run.ended).toBe('aborted');
    expect(alive.length).toBeGreaterThanOrEqual(3);
    expect(run.receipt.proof).toBe('namespace-gone');
    expect(runningWith(`sleep ${mark}`)).toEqual([]);
  },
  300_000,
);

test.each([
  // Its stream never says a word: seen to hang for good.
  ['claude-code', claudeCode, [{ text: 'x', hangMs: 600_000 }]],
  // It waits for its model again and again, and prints nothing.
  ['opencode', opencode, [{ status: 429, headers: { 'retry-after': '3600' } }]],
])('the real %s, waiting for a model that does not answer, ends by the idle timeout', async (_, program, steps) => {
  const run = await programRound(program, { steps, limits: { idleTimeoutMs: 8_000 } });
  run.workspace.remove();
  expect(run.ended).toBe('idle-timeout');
  expect(run.receipt.proof).toBe('namespace-gone');
});
