import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import { makeAttempt } from './attempt.ts';
import { SECRET, setStage } from './sandbox-stage.ts';
import { startStandInWorker } from './stand-in-worker.ts';

/** What a command may try at its sandbox. `script` succeeds where the attempt seems to; `reached`: whether it did. */
interface Try {
  readonly name: string;
  readonly script: string;
  readonly reached: (after: After) => boolean;
  /** It tries to get out of a namespace or from behind a mask. */
  readonly ofNamespace?: true;
}

interface After {
  readonly stdout: string;
  readonly outside: (name: string) => string;
  readonly tree: (name: string) => string;
}

const said = ({ stdout }: After): boolean => stdout.includes(SECRET);
const holds = (file: string, text: string): boolean => existsSync(file) && readFileSync(file, 'utf8').includes(text);

const socketTry = (peer: string): string =>
  `perl -MIO::Socket -e 'my $s = ${peer} or exit 1; print scalar <$s>' && exit 0; exit 1`;

const TRIES: readonly Try[] = [
  {
    name: 'write in the workspace',
    script: 'echo x > new',
    reached: ({ tree }) => existsSync(tree('new')),
  },
  {
    name: 'write in its own HOME',
    script: 'echo x > "$HOME/x" && cat "$HOME/x"',
    reached: ({ stdout }) => stdout === 'x\n',
  },
  {
    name: "write a file outside, say in the user's repository",
    script: 'echo x > "$OUTSIDE/new"',
    reached: ({ outside }) => existsSync(outside('new')),
  },
  {
    name: 'change a file outside',
    script: 'echo changed >> "$OUTSIDE/file"',
    reached: ({ outside }) => holds(outside('file'), 'changed'),
  },
  {
    name: 'chmod a file outside',
    script: 'chmod 777 "$OUTSIDE/locked"',
    reached: ({ outside }) => (statSync(outside('locked')).mode & 0o777) === 0o777,
  },
  {
    name: 'rename a file outside into the workspace',
    script: 'mv "$OUTSIDE/moved" .',
    reached: ({ outside }) => !existsSync(outside('moved')),
  },
  {
    name: 'delete a file outside',
    script: 'rm "$OUTSIDE/deleted"',
    reached: ({ outside }) => !existsSync(outside('deleted')),
  },
  {
    name: 'write outside through a symbolic link in the workspace',
    script: 'ln -s "$OUTSIDE/file" link; echo by-symlink >> "$OUTSIDE/file" || echo by-symlink >> link',
    reached: ({ outside }) => holds(outside('file'), 'by-symlink'),
  },
  {
    name: 'write outside through a hard link in the workspace',
    script: 'ln "$OUTSIDE/file" hard && echo by-hard-link >> hard',
    reached: ({ outside }) => holds(outside('file'), 'by-hard-link'),
  },
  {
    name: 'write outside through /proc/1/root',
    ofNamespace: true,
    script: 'echo x > "/proc/1/root$OUTSIDE/by-proc"',
    reached: ({ outside }) => existsSync(outside('by-proc')),
  },
  {
    name: "change the engine's object store",
    script: 'echo x > "$OBJECTS/x"',
    reached: ({ tree }) => existsSync(path.join(tree('..'), 'objects/x')),
  },
  { name: "read RALPH_HOME's keys", script: 'cat "$RALPH_KEY"', reached: said },
  {
    name: "read another run's workspace",
    script: 'cat "$OTHER_RUN/tree/file"',
    reached: said,
  },
  {
    name: 'read the records of another run, or its own',
    script:
      'cat "$OTHER_RUN/index.jsonl" || cat "$OBJECTS/../index.jsonl" "$OBJECTS/../rounds/1/attempt-1/outcome.json"',
    reached: said,
  },
  {
    name: 'add to the records of its run',
    script: 'mkdir -p "$OBJECTS/../rounds/1/attempt-1" && echo x >> "$OBJECTS/../index.jsonl"',
    reached: ({ tree }) => holds(path.join(tree('..'), 'index.jsonl'), 'x\n'),
  },
  {
    name: 'lift the mask off RALPH_HOME',
    ofNamespace: true,
    script: 'umount "$(dirname "$RALPH_KEY")" && cat "$RALPH_KEY"',
    reached: said,
  },
  {
    name: 'lift the mask in a namespace of its own',
    ofNamespace: true,
    script: 'unshare -Urm sh -c \'umount "$(dirname "$RALPH_KEY")" && cat "$RALPH_KEY"\'',
    reached: said,
  },
  {
    name: 'change the prompt through /proc/self/fd/0',
    script: 'echo changed > /proc/self/fd/0',
    reached: ({ tree }) => holds(path.join(tree('..'), 'prompt.md'), 'changed'),
  },
  { name: "read keys in the user's home", script: 'cat "$REAL_HOME/.ssh/id"', reached: said },
  {
    name: 'read the credentials beside a toolchain',
    script: 'cat "$REAL_HOME/.cargo/credentials.toml"',
    reached: said,
  },
  {
    name: "run a toolchain in the user's home",
    script: '"$REAL_HOME/.cargo/bin/tool"',
    reached: ({ stdout }) => stdout === 'a tool\n',
  },
  {
    name: "change a toolchain in the user's home",
    script: 'echo "#!/bin/sh" > "$REAL_HOME/.cargo/bin/tool"',
    reached: ({ outside }) => !holds(path.join(outside('..'), 'user/.cargo/bin/tool'), 'a tool'),
  },
  {
    name: "read the worker's environment from /proc/1/environ",
    ofNamespace: true,
    script: 'cat /proc/1/environ',
    reached: said,
  },
  {
    name: "read the worker's environment from /proc/<worker>/environ",
    script: 'cat "/proc/$WORKER_PID/environ"',
    reached: said,
  },
  {
    name: 'signal the worker',
    script: 'kill -0 "$WORKER_PID" && echo signalled',
    reached: ({ stdout }) => stdout === 'signalled\n',
  },
  {
    name: 'change a setting of the kernel below /proc/sys',
    script: ': >> /proc/sys/kernel/core_pattern && echo opened',
    reached: ({ stdout }) => stdout === 'opened\n',
  },
  { name: "read another program's file in /tmp", script: 'cat "$TMP_FILE"', reached: said },
  { name: 'reach a unix socket in /tmp', script: socketTry('IO::Socket::UNIX->new($ENV{TMP_SOCKET})'), reached: said },
  {
    name: "reach a unix socket elsewhere, say a database's in /var/lib",
    script: socketTry('IO::Socket::UNIX->new($ENV{OTHER_SOCKET})'),
    reached: said,
  },
  {
    name: 'reach an abstract unix socket',
    // Node fills an abstract name up with zeros.
    script: `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, pack("S a108", PF_UNIX, "\\0$ENV{ABSTRACT_SOCKET}")) or exit 1; print scalar <$s>'`,
    reached: said,
  },
  {
    name: "reach a server on the machine's loopback",
    script: socketTry('IO::Socket::INET->new("127.0.0.1:$ENV{PORT}")'),
    reached: said,
  },
  {
    name: "open a namespace of its own, as the agents' own sandboxes do",
    script: 'bwrap --unshare-user --unshare-pid --ro-bind / / --dev /dev echo nested',
    reached: ({ stdout }) => stdout === 'nested\n',
  },
];

/** The table's columns from left to right. */
const COLUMNS: readonly (Sandbox & { readonly mechanism: Mechanism })[] = [
  { mechanism: 'bubblewrap', level: 'read-only', network: true, readable: [] },
  { mechanism: 'bubblewrap', level: 'workspace-write', network: true, readable: [] },
  { mechanism: 'bubblewrap', level: 'workspace-write', network: false, readable: [] },
  { mechanism: 'bubblewrap', level: 'full-access', network: true, readable: [] },
  { mechanism: 'subreaper', level: 'full-access', network: true, readable: [] },
];

/**
 * Try everything at every sandbox, on a machine with a user's home, a repository, keys and servers of its own.
 * `yes`: it did what it tried. `private`: it seemed to, and nothing happened outside. `no`: refused, or not there. `-`: there is no namespace.
 */
export async function fillSandboxTable(how: { build: string; uid: number | null }): Promise<Record<string, string[]>> {
  const stage = await setStage(how);
  const worker = await startStandInWorker({
    ...how,
    env: { HOME: stage.home, WORKER_SECRET: SECRET },
  });
  try {
    const rows: Record<string, string[]> = Object.fromEntries(TRIES.map(({ name }) => [name, []]));
    for (const { mechanism, ...sandbox } of COLUMNS) {
      stage.renew();
      const { command } = makeAttempt({
        place: how.build,
        fixtures: path.join(how.build, 'fixtures'),
        level: sandbox.level,
        uid: how.uid,
        run: {
          script: TRIES.map(
            ({ script }, index) => `(${script}\n) >"$INBOX/${index}"; echo $? >"$INBOX/${index}.code"`,
          ).join('\n'),
        },
      });
      const { objects, inbox, tree } = command.mounts;
      stage.record(path.dirname(tree));
      const env = { ...command.env, ...stage.env, OBJECTS: objects, INBOX: inbox, WORKER_PID: String(worker.pid) };
      const answer = await worker.ask({ run: { mechanism, command: { ...command, sandbox, env } } });
      if (answer.error !== undefined) throw new Error(answer.error.message);
      for (const [index, { name, reached, ofNamespace }] of TRIES.entries()) {
        if (ofNamespace === true && mechanism === 'subreaper') {
          rows[name]?.push('-');
          continue;
        }
        const reachedIt = reached({
          stdout: readFileSync(path.join(inbox, String(index)), 'utf8'),
          outside: (file) => path.join(stage.env.OUTSIDE, file),
          tree: (file) => path.join(tree, file),
        });
        const succeeded = readFileSync(path.join(inbox, `${index}.code`), 'utf8') === '0\n';
        rows[name]?.push(reachedIt ? 'yes' : succeeded ? 'private' : 'no');
      }
    }
    return rows;
  } finally {
    worker.signal('SIGKILL');
    await worker.gone;
    stage.clear();
  }
}
