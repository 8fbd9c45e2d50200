import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attemptOf } from './disposal-cases.ts';
import { standInWorkers } from './stand-in-workers.ts';

const { built, folder, start } = standInWorkers();

test("as root, the homes of the machine's other users are hidden but for their toolchains, and those of services are not", async () => {
  const at = (name: string): string => path.join(folder, name);
  for (const [file, text] of [
    ['alice/.ssh/id', 'a key of hers'],
    ['alice/.nvm/tool', 'a tool of hers'],
    ['database/data', 'a table'],
    ['own/.ssh/id', 'a key of mine'],
  ] as const) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  writeFileSync(
    at('passwd'),
    [
      // Not the real one: this checkout may lie in it.
      `root:x:0:0::${at('own')}:/bin/sh`,
      `alice:x:1000:1000::${at('alice')}:/bin/sh`,
      `db:x:120:120::${at('database')}:/bin/sh`,
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  // A namespace of the test's own, in which it is root, and the machine has these users.
  const users = 'mount --bind "$0" /etc/passwd && exec "$@"';
  const setting = { ...built, mechanism: 'bubblewrap', level: 'workspace-write' } as const;
  const worker = await start({
    env: { HOME: at('own') },
    wrap: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', users, at('passwd')],
  });
  const { command } = attemptOf(setting, { script: 'cat alice/.ssh/id alice/.nvm/tool database/data 2>&1' });
  const script = `cd ${folder}; ${command.argv.at(-1)}`;
  const answer = await worker.ask({
    run: { mechanism: 'bubblewrap', command: { ...command, argv: ['bash', '-c', script] } },
  });
  expect(answer.stdout).toMatch(/^cat: alice\/\.ssh\/id: No such file or directory\na tool of hers/);
  expect(answer.stdout).toMatch(/a table$/);
});
