import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Something to look through, and what it is called in a message. */
export interface Haystack {
  readonly where: string;
  readonly bytes: Buffer;
}

/** How often over: what an agent encoded stands in a payload, and a payload in what is exported. */
const DEPTH = 2;

/** Where a value stands: as it is, or once percent-encoding, base64 (its lines joined) or hex is decoded. */
export function findPlanted(haystacks: readonly Haystack[], value: string): string[] {
  return haystacks.filter(({ bytes }) => holds(bytes, value, DEPTH)).map(({ where }) => where);
}

function holds(bytes: Buffer, value: string, depth: number): boolean {
  return bytes.includes(value) || (depth > 0 && decodings(bytes).some((decoded) => holds(decoded, value, depth - 1)));
}

function decodings(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  const found: Buffer[] = [];
  if (text.includes('%'))
    found.push(
      Buffer.from(
        text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => character(hex)),
        'latin1',
      ),
    );
  if (text.includes('\\u'))
    found.push(
      Buffer.from(
        text.replaceAll(/\\u00([0-9a-f]{2})/gi, (_, hex: string) => character(hex)),
        'latin1',
      ),
    );
  const runs = text.replaceAll(/\\+[rn]|[\r\n]/g, '').match(/[A-Za-z0-9+/_-]{16,}/g) ?? [];
  // Where in the run it begins is not known.
  for (const from of [0, 1, 2, 3]) found.push(Buffer.concat(runs.map((run) => Buffer.from(run.slice(from), 'base64'))));
  const hex = runs.filter((run) => /^[0-9a-f]+$/i.test(run));
  found.push(Buffer.concat(hex.map((run) => Buffer.from(run, 'hex'))));
  return found.filter(({ length }) => length > 0);
}

const character = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** Every file below a folder, without the paths that `except` matches. */
export function filesBelow(folder: string, except: RegExp): Haystack[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !except.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => lstatSync(file).isFile())
    .map((file) => ({ where: file, bytes: readFileSync(file) }));
}

/** Every object of a repository, unpacked. */
export function objectsOf(repository: string): Haystack[] {
  const all = execFileSync('git', ['-C', repository, 'cat-file', '--batch-all-objects', '--batch'], {
    env: { PATH: process.env['PATH'] },
    maxBuffer: 2 ** 28,
  });
  const objects: Haystack[] = [];
  for (let at = 0; at < all.length;) {
    const end = all.indexOf('\n', at);
    const [name = '', type = '', size = ''] = all.toString('latin1', at, end).split(' ');
    objects.push({ where: `${repository}: ${type} ${name}`, bytes: all.subarray(end + 1, end + 1 + Number(size)) });
    at = end + Number(size) + 2;
  }
  return objects;
}
