import { chmod, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseUntrustedJson } from '../../system/untrusted-json.ts';
import type { HomeCopy } from './home-files.ts';
import { readHomeFile } from './read-home-file.ts';

const LOCK_STALE_MS = 10_000;
const LOCK_WAIT_MS = 5_000;
const LOCK_TRY_MS = 50;

/** A login that a program renewed in its private HOME, and why the user's file does not have it; null where it has. */
export interface RenewedLogin {
  readonly from: string;
  readonly text: string;
  readonly kept: string | null;
}

/**
 * Take logins that a program renewed back to the user's files, each under a lock and only where it still is what the
 * round was given: one that changed meanwhile is the newer. Call it when nothing of the attempt runs any more.
 */
export async function returnLogins(copies: readonly HomeCopy[], home: string): Promise<RenewedLogin[]> {
  const renewed: RenewedLogin[] = [];
  for (const copy of copies) {
    if (!copy.renews) continue;
    const text = await readHomeFile(home, copy.to);
    if (text === null || text === copy.text) continue;
    renewed.push({ from: copy.from, text, kept: await returned(copy, text) });
  }
  return renewed;
}

async function returned(copy: HomeCopy, text: string): Promise<string | null> {
  if (!isRenewal(copy.text, text)) return 'it differs by more than tokens';
  try {
    const file = await realpath(copy.from);
    return await locked(`${file}.ralph-lock`, async () => {
      if ((await readFile(file, 'utf8')) !== copy.text) return 'the file has changed meanwhile';
      await replace(file, text);
      return null;
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.ralph-new`;
  const { mode, uid, gid } = await stat(file);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(text);
    if (process.getuid?.() === 0) await handle.chown(uid, gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(draft, mode & 0o777);
  await rename(draft, file);
}

/** One that a killed worker left counts for ten seconds. */
async function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + LOCK_WAIT_MS + LOCK_STALE_MS;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if (!isTaken(error) || Date.now() > until) throw error;
      const age = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > LOCK_STALE_MS) await unlink(lock).catch(() => undefined);
      else await delay(LOCK_TRY_MS);
    }
  }
  try {
    return await work();
  } finally {
    await unlink(lock).catch(() => undefined);
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Fields that a program changes when it renews its login. */
const RENEWED = /token|access|refresh|expir/i;

/**
 * Whether a login file that came out of a sandbox differs from the one that went in by renewed tokens alone. An agent can
 * write it: no field may come or go, nothing may turn into an address or a command.
 */
function isRenewal(before: string, after: string): boolean {
  return differsInTokens(parsed(before), parsed(after), '');
}

function differsInTokens(before: unknown, after: unknown, field: string): boolean {
  if (isRecord(before) && isRecord(after)) {
    const names = Object.keys(before);
    if (names.length !== Object.keys(after).length) return false;
    return names.every((name) => Object.hasOwn(after, name) && differsInTokens(before[name], after[name], name));
  }
  if (typeof before === 'string' && typeof after === 'string') {
    return before === after || (RENEWED.test(field) && /^[\w.~+/=:|-]+$/.test(after) && !after.includes('://'));
  }
  if (typeof before === 'number' && typeof after === 'number') return before === after || RENEWED.test(field);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return parseUntrustedJson(text);
  } catch {
    // Not JSON, or nested too deep: no login file that is copied back.
    return undefined;
  }
}
