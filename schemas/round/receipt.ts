import { z } from 'zod';

/** What version 0.1.0 called a subreaper, alone and around bubblewrap. Both are ended in the same way. */
const OLD_MECHANISMS: ReadonlyMap<unknown, string> = new Map([
  ['keeper', 'subreaper'],
  ['keeper-bubblewrap', 'subreaper'],
]);

/** How a container knows its processes. */
export const Mechanism = z.preprocess(
  (value) => OLD_MECHANISMS.get(value) ?? value,
  z.enum(['bubblewrap', 'subreaper', 'process-group']),
);
export type Mechanism = z.infer<typeof Mechanism>;

/**
 * Why nothing is left. `namespace-gone`: the pid namespace's init, by pid and start time, is gone. `echild`: a
 * subreaper's waitpid says no child is left. `nothing-started`: no process was ever started. `host-rebooted`: the boot
 * id changed since. `observed`: looked for and not found, which is no proof. `unproved`: something may be left.
 */
export const Proof = z.enum(['namespace-gone', 'echild', 'nothing-started', 'host-rebooted', 'observed', 'unproved']);
export type Proof = z.infer<typeof Proof>;

export const SeenProcess = z.strictObject({ pid: z.int(), command: z.string() });
export type SeenProcess = z.infer<typeof SeenProcess>;

/** What made the engine dispose of a round's processes. */
export const DisposalCause = z.enum([
  'finished',
  'hung-after-report',
  'cancelled',
  'paused',
  'budget-spent',
  'round-timeout',
  'idle-timeout',
  'worker-shutdown',
  'worker-lost',
  'terminated',
  'fault',
]);
export type DisposalCause = z.infer<typeof DisposalCause>;

/** What disposal found and proved. `ms` runs from the first signal to the proof. */
export const Receipt = z.strictObject({
  cause: DisposalCause,
  /** What held the processes; null: nothing was started, or it is not known. Version 0.1.0 wrote a guess instead. */
  mechanism: Mechanism.nullable(),
  proof: Proof,
  /** The first ones. `command`: what it was sent to; null: not known. */
  signals: z.array(z.strictObject({ signal: z.string(), pid: z.int(), command: z.string().nullable().default(null) })),
  killed: z.array(SeenProcess),
  /** How many were killed beside those that are listed. */
  killedUnlisted: z.int().nonnegative().default(0),
  left: z.array(SeenProcess.extend({ why: z.string() })),
  ms: z.int().nonnegative(),
  at: z.iso.datetime(),
  host: z.string(),
  /** The commit that holds the round's work; null until the workspace was checkpointed, or where it could not be. */
  commit: z.string().nullable(),
});
export type Receipt = z.infer<typeof Receipt>;
