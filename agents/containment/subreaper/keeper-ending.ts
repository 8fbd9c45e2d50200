import { z } from 'zod';
import type { SeenProcess } from '../../../schemas/round/receipt.ts';
import { commandLine } from '../dispose/describe-process.ts';
import type { Ending } from '../start/latched-container.ts';
import { listed } from '../dispose/listed.ts';

const Seen = z.object({ pid: z.int(), name: z.string(), words: z.array(z.string()) });
const KeeperEnd = z.object({
  proof: z.enum(['echild', 'unproved']),
  // A keeper of an earlier version names nothing.
  signals: z.array(
    Seen.extend({ signal: z.string(), name: z.string().default(''), words: z.array(z.string()).default([]) }),
  ),
  killed: z.array(Seen),
  killedUnlisted: z.int().nonnegative(),
  left: z.array(Seen.extend({ why: z.string() })),
});

function seen({ pid, name, words }: z.infer<typeof Seen>): SeenProcess {
  return { pid, command: commandLine(name, words) };
}

/** What a keeper proved, as it says it and as it leaves it in its end file. Null: it did not say it whole. */
export function keeperEnding(json: string): Ending | null {
  const end = KeeperEnd.safeParse(parsed(json));
  if (!end.success) return null;
  return {
    proof: end.data.proof,
    signals: end.data.signals.map(({ signal, ...asked }) => ({
      signal,
      pid: asked.pid,
      command: asked.name === '' ? null : seen(asked).command,
    })),
    ...listed(end.data.killed.map(seen), end.data.killed.length + end.data.killedUnlisted),
    left: end.data.left.map((process_) => ({ ...seen(process_), why: process_.why })),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Cut off, or not the keeper's.
    return null;
  }
}
