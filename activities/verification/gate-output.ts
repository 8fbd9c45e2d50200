import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { MAX_OUTPUT_BYTES } from '../../agents/containment/start/run-contained.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { MAX_GATE_OUTPUT_CHARS, type GateResult } from '../../schemas/verification/gate.ts';
import { printable } from '../../system/printable.ts';
import type { StepPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { steadyLine } from './steady-line.ts';

/** Enough for the characters that are kept, colours and all. */
const END_BYTES = 32 * 1024;

/** What a gate printed: its end for a reader, and a hash that is the same where it fails the same way again. */
export async function gateOutput({
  run,
  paths,
  redactor,
}: {
  run: RunPaths;
  paths: StepPaths;
  redactor: Redactor;
}): Promise<Pick<GateResult, 'output' | 'outputHash'>> {
  const files = [paths.transcript, paths.stderr] as const;
  const [stdout, stderr] = await Promise.all([endOf(files[0]), endOf(files[1])]);
  const both = keepEnds(stdout, stderr, MAX_GATE_OUTPUT_CHARS);
  const output = keepEnd(redactor.text(both), MAX_GATE_OUTPUT_CHARS);
  const places = await placesOf(run, paths);
  const hash = createHash('sha256');
  for (const file of files) await addLines(hash, file, places);
  // What was dropped could differ: it is the same as nothing, not even as itself.
  if ((await Promise.all(files.map((file) => isCut(file)))).includes(true)) hash.update(randomBytes(16));
  return { output, outputHash: hash.digest('hex') };
}

const isCut = async (file: string): Promise<boolean> => (await stat(file)).size >= MAX_OUTPUT_BYTES;

async function endOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - END_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    // A character that was cut in two.
    return printable(from === 0 ? text : text.replace(/^\uFFFD{1,3}/, '')).trim();
  } finally {
    await handle.close();
  }
}

async function addLines(hash: Hash, file: string, places: readonly (readonly [string, string])[]): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    hash.update(`${steadyLine(line, places)}\n`);
  }
  hash.update('\0');
}

/** Names for the folders that a command sees: they differ from check to check, and from run to run. */
async function placesOf(run: RunPaths, paths: StepPaths): Promise<(readonly [string, string])[]> {
  const named = [
    [paths.root, '<step>'],
    [run.root, '<run>'],
    [tmpdir(), '/tmp'],
  ] as const;
  const real = await Promise.all(named.map(async ([place, name]) => [await realpath(place), name] as const));
  return [...real, ...named];
}

const MARK = '[… the beginning is left out]\n';

/** The end of a text, within `most` UTF-16 code units, with a mark where something is missing. Surrogate pairs stay whole. */
export function keepEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(text.length - Math.max(0, most - MARK.length)).replace(/^[\uDC00-\uDFFF]/, '');
  return MARK + kept;
}

/** The ends of two texts, one after the other, within `most`: a short one leaves its room to the other. */
export function keepEnds(first: string, second: string, most: number): string {
  if (first === '' || second === '') return keepEnd(first + second, most);
  const room = most - 1;
  const half = Math.floor(room / 2);
  const forSecond = Math.max(half, room - first.length);
  const end = keepEnd(second, forSecond);
  return `${keepEnd(first, room - end.length)}\n${end}`;
}
