import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Something to look through, and what it is called in a message. */
export interface Haystack {
  readonly where: string;
  readonly bytes: Buffer;
}

/** A database is decoded once only: twice takes minutes. */
const MUCH_BYTES = 262_144;

/** Where a value stands: as it is, or once percent-encoding, base64 (its lines joined) or hex is decoded, twice over. */
export function findPlanted(haystacks: readonly Haystack[], value: string): string[] {
  return haystacks
    .filter(({ bytes }) => holds(bytes.toString('latin1'), value, bytes.length < MUCH_BYTES ? 2 : 1))
    .map(({ where }) => where);
}

function holds(text: string, value: string, depth: number): boolean {
  if (text.includes(value)) return true;
  return depth > 0 && decodings(text).some((decoded) => holds(decoded, value, depth - 1));
}

function decodings(text: string): string[] {
  const percent = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const unescaped = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const runs = [...text.replaceAll(/\\+[rn]|[\r\n]/g, '').matchAll(/[A-Za-z0-9+/_-]{16,}/g)].map(([run]) => run);
  return [
    ...[percent, unescaped].filter((decoded) => decoded !== text),
    // Where in the run it begins is not known.
    ...[0, 1, 2, 3].map((from) =>
      runs.map((run) => Buffer.from(run.slice(from), 'base64').toString('latin1')).join('\n'),
    ),
    runs
      .filter((run) => /^[0-9a-f]+$/i.test(run))
      .map((run) => Buffer.from(run, 'hex').toString('latin1'))
      .join('\n'),
  ].filter((decoded) => decoded !== '');
}

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
  const git = (args: string[]): Buffer =>
    execFileSync('git', ['-C', repository, ...args], { env: { PATH: process.env['PATH'] }, maxBuffer: 2 ** 28 });
  const names = git(['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)']).toString().trim();
  return names.split('\n').map((line) => {
    const [type = '', name = ''] = line.split(' ');
    return { where: `${repository}: ${type} ${name}`, bytes: git(['cat-file', type, name]) };
  });
}
