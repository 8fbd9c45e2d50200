import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hiddenPaths } from '../../../agents/containment/bubblewrap/bubblewrap-flags.ts';
import { makeScratch } from './attempt.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

test('a script in the home that is not opened is found in a command, and nothing else is', () => {
  const home = path.join(scratch.folder, 'home');
  const at = (name: string): string => path.join(home, name);
  for (const folder of ['bin', '.cargo/bin', 'opened']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['one.sh', '.cargo/bin/tool', 'opened/two.sh']) writeFileSync(at(file), '');
  const host = { root: false, homes: [home], workerEnv: { PATH: '/usr/bin' } };
  const sandbox = { level: 'workspace-write', network: true, readable: [at('opened')] } as const;
  const command = `X=${at('one.sh')} /usr/bin/env sh '${at('opened/two.sh')}' && ${at('.cargo/bin/tool')} ${at('new')} ./one.sh`;
  expect(hiddenPaths(command, { ...sandbox, readable: [...sandbox.readable] }, host)).toEqual([at('one.sh')]);
  expect(hiddenPaths(command, { ...sandbox, level: 'full-access', readable: [] }, host)).toEqual([]);
});
