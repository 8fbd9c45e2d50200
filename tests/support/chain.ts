import { here } from '../cli/support/here.ts';
import type { Ended } from '../cli/support/ralph.ts';
import { goOn, type Step } from './scripted-agent.ts';
import { ShownRun } from './shown-run.ts';

/** Commands that start nothing, in this very process. */
export function reader({ home }: { home: string }) {
  const tell = (...args: string[]): Promise<Ended> => here(args, { home });
  return {
    tell,
    show: async (id: string): Promise<ShownRun> => {
      const { code, stdout, stderr } = await tell('show', id, '--json');
      if (code !== 0) throw new Error(`show exits ${String(code)}: ${stderr}`);
      return ShownRun.parse(JSON.parse(stdout));
    },
    page: async (id: string): Promise<string> => (await tell('show', id)).stdout,
  };
}

export const blocked = (blocker: string) => ({
  status: 'blocked',
  summary: 'stuck',
  evidence: [],
  nextSteps: [],
  blocker,
});

/** A round that changes something and goes on. */
export const work = (name: string): Step => ({
  files: { [name]: `${name}\n` },
  report: goOn(`did ${name}`, [`after ${name}`]),
});

const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=)`;

/** Run and round of every checkpoint that a ref reaches, the latest first. */
export function checkpoints({ git }: { git: (...args: string[]) => string }, ref: string): string[] {
  const rows = git('log', `--format=${trailer('Ralph-Run')} ${trailer('Ralph-Round')}`, ref).split('\n');
  return rows.filter((row) => row.trim() !== '');
}
