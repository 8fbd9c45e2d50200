import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentSpec } from '../../schemas/run/agent.ts';

const program = path.join(process.cwd(), 'tests', 'fixtures', 'agents', 'scripted.mjs');

/** A step of `scripted.mjs`; see there. */
export interface Step {
  files?: Record<string, string>;
  commit?: string;
  say?: string;
  leave?: number;
  sleep?: number;
  use?: { inputTokens: number; outputTokens: number; costUsd?: number | undefined; model?: string };
  report?: unknown;
  exit?: number;
}

export interface Start {
  prompt: string;
  cwd: string;
  env: Record<string, string>;
  files: string[];
  pid: number;
}

/** A stand-in agent that plays a plan, and what it was given at each start. */
export function scriptedAgent(folder: string, plan: readonly Step[]) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(plan));
  const command = `node '${program}' '${folder}'`;
  const spec: AgentSpec = { provider: 'command', command, model: null };
  return {
    spec,
    command,
    folder,
    /** What each start was given, in order. */
    starts(): Start[] {
      const names = readdirSync(folder).filter((name) => name.startsWith('start-'));
      return names.map((_, i) => JSON.parse(readFileSync(path.join(folder, `start-${i + 1}.json`), 'utf8')));
    },
    started: (n: number) => existsSync(path.join(folder, `start-${n}.json`)),
    /** Whether start n has written its files, made its commit and said its words: wait for this before a kill. */
    worked: (n: number) => existsSync(path.join(folder, `worked-${n}`)),
    /** Whether two were ever alive at once. */
    overlapped: () => existsSync(path.join(folder, 'overlap')),
    /** Let a sleeping step go on. */
    go() {
      writeFileSync(path.join(folder, 'go'), '');
    },
  };
}

export const goOn = (summary: string, nextSteps = ['go on']) => ({
  status: 'continue' as const,
  summary,
  evidence: [],
  nextSteps,
  blocker: '' as const,
});
export const done = (summary: string) => ({
  status: 'complete' as const,
  summary,
  evidence: ['seen'],
  nextSteps: [],
  blocker: '' as const,
});
