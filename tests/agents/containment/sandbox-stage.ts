import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';

export const SECRET = 'a-secret-of-the-host';

/** A new folder that no sandbox hides: this checkout may lie in the user's home. */
function outsideOfHomes(build: string): string {
  const { homedir } = userInfo();
  const inHome = !path.relative(homedir, build).startsWith('..');
  for (const place of inHome ? ['/var/lib', '/srv', '/opt'] : [build]) {
    try {
      const folder = mkdtempSync(path.join(place, 'ralph-test-'));
      chmodSync(folder, 0o755);
      return folder;
    } catch {
      // Not there, or not ours to write to.
    }
  }
  throw new Error(`a folder outside of ${homedir} is needed: run this as root, or from a checkout elsewhere`);
}

/** The machine around the sandbox. */
export async function setStage({ build, uid }: { build: string; uid: number | null }) {
  const at = (name: string): string => path.join(build, name);
  const own = (place: string): void => (uid === null ? undefined : chownSync(place, uid, uid));
  const write = (file: string, text: string, mode: number): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    own(path.dirname(file));
    writeFileSync(file, text);
    chmodSync(file, mode);
    own(file);
  };
  const id = randomUUID();
  const tmpFile = path.join(tmpdir(), `file-${id}`);
  const tmpSocket = path.join(tmpdir(), `socket-${id}`);
  write(at('user/.ssh/id'), SECRET, 0o600);
  write(at('user/.cargo/credentials.toml'), SECRET, 0o600);
  write(at('home/key'), SECRET, 0o600);
  const record = (run: string): void => {
    write(path.join(run, 'index.jsonl'), `${SECRET}\n`, 0o600);
    write(path.join(run, 'rounds/1/attempt-1/outcome.json'), SECRET, 0o600);
  };
  write(at('home/runs/other/tree/file'), SECRET, 0o600);
  record(at('home/runs/other'));
  writeFileSync(tmpFile, SECRET);
  const servers: Server[] = [];
  const serve = async (where: string | { port: number; host: string }): Promise<Server> => {
    const server = createServer((socket) => void socket.on('error', () => undefined).end(`${SECRET}\n`));
    servers.push(server);
    server.listen(where);
    await once(server, 'listening');
    return server;
  };
  await serve(tmpSocket);
  chmodSync(tmpSocket, 0o777);
  const elsewhere = outsideOfHomes(build);
  const otherSocket = path.join(elsewhere, 'other.sock');
  await serve(otherSocket);
  chmodSync(otherSocket, 0o777);
  await serve(`\0${id}`);
  const address = (await serve({ port: 0, host: '127.0.0.1' })).address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    home: at('user'),
    /** The records that a run has beside its workspace. */
    record,
    env: {
      OUTSIDE: at('outside'),
      RALPH_KEY: at('home/key'),
      OTHER_RUN: at('home/runs/other'),
      REAL_HOME: at('user'),
      TMP_FILE: tmpFile,
      TMP_SOCKET: tmpSocket,
      OTHER_SOCKET: otherSocket,
      ABSTRACT_SOCKET: id,
      PORT: String(port),
    },
    /** Everything that an attempt may have changed, as it was. */
    renew: () => {
      rmSync(at('outside'), { recursive: true, force: true });
      for (const name of ['file', 'locked', 'moved', 'deleted']) write(at(`outside/${name}`), 'as it was\n', 0o600);
      write(at('user/.cargo/bin/tool'), '#!/bin/sh\necho a tool\n', 0o755);
      for (const place of ['home', 'user', 'user/.cargo', 'user/.cargo/bin']) own(at(place));
    },
    clear: () => {
      for (const server of servers) server.close();
      rmSync(tmpFile, { force: true });
      rmSync(tmpSocket, { force: true });
      rmSync(elsewhere, { recursive: true, force: true });
    },
  };
}
