import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hasCode } from '../../system/error-code.ts';

const HOST = '127.0.0.1';
const FIRST = 20_000;
const PAIRS = 6000;

export interface ServerPorts {
  readonly port: number;
  readonly uiPort: number;
}

/**
 * Two free ports on the loopback: the ones used before where they are free, else the next pair from a place of its own
 * per RALPH_HOME, below the range from which the system takes ports for outgoing connections.
 */
export async function choosePorts({
  ralphHome,
  before,
}: {
  ralphHome: string;
  before: ServerPorts | null;
}): Promise<ServerPorts> {
  if (before !== null && (await areFree(before))) return before;
  const place = createHash('sha256').update(ralphHome).digest().readUInt32BE() % PAIRS;
  for (let step = 0; step < PAIRS; step++) {
    const port = FIRST + 2 * ((place + step) % PAIRS);
    const pair = { port, uiPort: port + 1 };
    if (await areFree(pair)) return pair;
  }
  throw new Error(`No two free ports from ${FIRST} to ${FIRST + 2 * PAIRS} on ${HOST}.`);
}

/** A place of the page's own, so that its address stays the same as long as nobody else takes it. */
const FIRST_PAGE = 17_000;
const PAGES = 3000;

/** Ports for the page of a RALPH_HOME, the one to try first at the beginning. */
export function pagePorts(ralphHome: string): number[] {
  const place = createHash('sha256').update(`page:${ralphHome}`).digest().readUInt32BE() % PAGES;
  return Array.from({ length: PAGES }, (_, step) => FIRST_PAGE + ((place + step) % PAGES));
}

async function areFree({ port, uiPort }: ServerPorts): Promise<boolean> {
  return (await isFree(port)) && (await isFree(uiPort));
}

/** Whether a port of the loopback is free. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (hasCode(error, 'EADDRINUSE') || hasCode(error, 'EACCES')) resolve(false);
      else reject(error);
    });
    server.listen({ host: HOST, port, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/**
 * Whether that process, and nobody else, listens on the port. Where /proc does not say (macOS), whether anybody does.
 */
export async function listensOn({ pid, port }: { pid: number; port: number }): Promise<boolean> {
  if (process.platform !== 'linux') return !(await isFree(port));
  try {
    const sockets = listeningSockets(await readFile(`/proc/${pid}/net/tcp`, 'utf8'), port);
    if (sockets.length === 0) return false;
    for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
      if (sockets.includes(await linkOrNothing(`/proc/${pid}/fd/${descriptor}`))) return true;
    }
    return false;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

function listeningSockets(table: string, port: number): string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const LISTEN = '0A';
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) === true && state === LISTEN)
    .map((fields) => `socket:[${String(fields[9])}]`);
}

async function linkOrNothing(link: string): Promise<string> {
  try {
    return await readlink(link);
  } catch (error) {
    // The descriptor was closed meanwhile.
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}
