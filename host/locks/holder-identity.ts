import { z } from 'zod';
import { bootId } from '../../system/processes/boot-id.ts';
import { identityOf, isAlive as runs } from '../../system/processes/process-identity.ts';

/** A process that cannot be mistaken for a later one with the same pid, nor for one before a reboot. */
export const HolderIdentity = z.object({ pid: z.int().positive(), startTime: z.string(), bootId: z.string() });
export type HolderIdentity = z.infer<typeof HolderIdentity>;

/** Changes with every boot of this machine. */
export function thisBoot(): string {
  const id = bootId();
  if (id === null) throw new Error('This system does not say which boot this is.');
  return id;
}

/** This very process. */
export function ownIdentity(): HolderIdentity {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error(`Process ${process.pid} does not find itself.`);
  return { ...identity, bootId: thisBoot() };
}

export const isAlive = (process_: HolderIdentity): boolean => process_.bootId === thisBoot() && runs(process_);

export const isSame = (a: HolderIdentity, b: HolderIdentity): boolean =>
  a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
