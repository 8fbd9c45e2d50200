import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watchTracked } from '../../workspaces/verification/watch-tracked.ts';
import { removeTemporaryFolders, shell, startRun, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

test('a gate changes a tracked file only if it leaves other bytes there', async () => {
  const folder = userRepository({ 'win.bat': 'echo one\r\n', 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  shell(folder, "echo '*.bat text eol=crlf' > .gitattributes; git add .gitattributes; git commit -qm rules");
  const run = await startRun(folder);
  await run.round('touch win.bat; echo x > x.txt');
  const changedIn = async (script: string): Promise<string[]> => {
    const changed = await watchTracked(run.paths, { isBaseline: false });
    shell(run.paths.tree, script);
    return changed();
  };
  expect(await changedIn('touch win.bat a.txt; echo new > new.txt')).toEqual([]);
  expect(await changedIn('echo more >> win.bat; rm a.txt; chmod +x x.txt')).toEqual(['a.txt', 'win.bat', 'x.txt']);
  expect(await changedIn('mkfifo sub/.gitattributes; touch a.txt sub/b.txt; echo y > x.txt')).toEqual(['x.txt']);
});

const MIB = 1024 ** 2;

test('what a checkpoint left out for its size, alone or with others, is not put back: it is the only copy', async () => {
  const names = Array.from({ length: 31 }, (_, at) => `f${at + 1}`);
  const run = await startRun(userRepository(Object.fromEntries(names.map((name) => [name, 'one\n']))));
  await run.round('echo x > x.txt');
  shell(run.paths.tree, 'for at in $(seq 30); do truncate -s $((64 + at))M f$at; done; truncate -s 10G f31; rm x.txt');
  await watchTracked(run.paths, { isBaseline: false });
  const size = (name: string): number => statSync(join(run.paths.tree, name)).size;
  expect(names.filter((name) => size(name) > MIB)).toEqual(['f27', 'f28', 'f29', 'f30', 'f31']);
  expect(size('x.txt')).toBe(2);
});
