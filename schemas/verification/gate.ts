import { z } from 'zod';
import { Fault } from '../round/fault.ts';
import { Receipt } from '../round/receipt.ts';

/** What `/bin/sh -c` is given: no argument of a program can hold a NUL. */
export const ShellCommand = z
  .string()
  .min(1)
  .refine((command) => command.trim() !== '', 'must not be empty')
  .refine((command) => !command.includes('\0'), 'must not hold a NUL character');

/** Most UTF-16 code units kept of the end of what a gate printed. */
export const MAX_GATE_OUTPUT_CHARS = 4_000;
/** Most paths named of those that a completion may not have changed. */
export const MAX_PROTECTED_PATHS = 50;
export const DEFAULT_GATE_TIMEOUT_MS = 1_200_000;

/** A shell command that the engine runs to check a claim of completion. Frozen at launch. */
export const Gate = z.strictObject({ command: ShellCommand, timeoutMs: z.int().positive() });
export type Gate = z.infer<typeof Gate>;

/** How a claim is checked. */
export const GatePolicy = z.strictObject({
  /** False: on a clean checkout of the checkpoint, `setup` run anew. True: in the workspace as the agent left it. */
  inPlace: z.boolean(),
  /** Whether a gate that fails exactly as it did before round 1 may go on failing. */
  allowRedBaseline: z.boolean(),
  /** git's globs of paths that a completion may not have changed against the run's base. */
  protect: z.array(z.string().min(1)),
});
export type GatePolicy = z.infer<typeof GatePolicy>;
export const strictGates: GatePolicy = { inPlace: false, allowRedBaseline: false, protect: [] };

/** How a gate ended, as the loop remembers it: enough to tell the same failure again. */
export const GateTrace = z.strictObject({
  command: z.string(),
  /** Null: it did not end by itself. */
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  /** SHA-256, in hex, of its output without colours, durations and times of day. */
  outputHash: z.string(),
  /** Whether it is the run's `setup`, which failed on the clean checkout, and stands for a gate. */
  isSetup: z.boolean().default(false),
  /** Paths that it changed and may not, at most `MAX_PROTECTED_PATHS`: with any it fails, whatever its exit code. */
  changed: z.array(z.string()).default([]),
});
export type GateTrace = z.infer<typeof GateTrace>;

/** How a gate ended, or `setup` that failed on the clean checkout. */
export const GateResult = GateTrace.extend({
  /** Which of the run's gates it is, from 0: its words may have been redacted. Null: a setup, or one of before this was told. */
  gate: z.int().nonnegative().nullable().default(null),
  ms: z.int().nonnegative(),
  /** The end of what it printed, stdout before stderr. */
  output: z.string().max(MAX_GATE_OUTPUT_CHARS),
  receipt: Receipt,
});
export type GateResult = z.infer<typeof GateResult>;

/** Of a result what is remembered. */
export const traceOf = ({ command, exitCode, timedOut, outputHash, isSetup, changed }: GateTrace): GateTrace => ({
  command,
  exitCode,
  timedOut,
  outputHash,
  isSetup,
  changed,
});

export const passes = ({ exitCode, timedOut, changed }: GateTrace): boolean =>
  exitCode === 0 && !timedOut && changed.length === 0;

/** Whether two results are one failure: the same gate, ending the same way with the same output. */
export const sameFailure = (a: GateTrace, b: GateTrace): boolean =>
  !passes(a) &&
  a.command === b.command &&
  a.exitCode === b.exitCode &&
  a.timedOut === b.timedOut &&
  a.outputHash === b.outputHash &&
  a.changed.join('\0') === b.changed.join('\0');

/**
 * Whether a gate may fail: the run allows a red baseline, and it fails exactly as it did then. Never one that did not
 * come to its end, as what it would have said is not known; nor `setup`, without which no gate says anything; nor one that
 * changed what it may not.
 */
export const isExcused = (
  gate: GateTrace,
  { allowRedBaseline }: GatePolicy,
  baseline: readonly GateTrace[] | null,
): boolean =>
  allowRedBaseline &&
  !gate.isSetup &&
  !gate.timedOut &&
  gate.changed.length === 0 &&
  (baseline ?? []).some((before) => sameFailure(gate, before));

/** Result of the activity `runGates`. */
export const GateCheck = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('checked'),
    round: z.int().nonnegative(),
    /** Counts the checks of a round, from 1. */
    check: z.int().positive(),
    commit: z.string(),
    /** In order, up to the first one that refuses the claim; none where protected paths do; a baseline has all. */
    gates: z.array(GateResult),
    /** Protected paths that differ from the run's base, at most `MAX_PROTECTED_PATHS`. */
    protectedPaths: z.array(z.string()),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
  }),
  /** The gates could not be run to their end: nothing is known of the claim. */
  z.strictObject({
    kind: z.literal('failed'),
    round: z.int().nonnegative(),
    check: z.int().positive(),
    fault: Fault,
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
  }),
]);
export type GateCheck = z.infer<typeof GateCheck>;

const MAX_CHARS = 500;

/**
 * A glob of protected paths, as git's pathspecs of the kind `glob` know it: from the top of the repository, `*` within a
 * folder, `**` through folders. What git would read as something else, or match with nothing, is refused.
 */
export const ProtectGlob = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_CHARS, `holds at most ${MAX_CHARS} characters`)
  .refine(
    (glob) => glob === glob.trim() && !/\p{Cc}/u.test(glob),
    'has leading or trailing white space, or control characters',
  )
  .refine((glob) => !/^[/:!]/.test(glob), 'must not begin with "/", ":" or "!": it is relative to the top folder')
  .refine((glob) => !glob.split('/').some((part) => part === '.' || part === '..'), 'must not have "." or ".." in it')
  .refine((glob) => !/[{}]/.test(glob), 'has braces, which git globs do not support: write both paths instead')
  .refine((glob) => !glob.includes('\\'), 'has a backslash: separate folders with "/"')
  .refine((glob) => !/\[[^\]]*$/.test(glob), 'has a "[" without a "]"');
