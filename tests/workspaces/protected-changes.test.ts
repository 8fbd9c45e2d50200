import { protectedChanges } from '../../workspaces/verification/protected-changes.ts';
import { protectedPathspecs } from '../../workspaces/git/protected-pathspecs.ts';
import { removeTemporaryFolders, startRun, userRepository, type TestRun } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const files = { 'tests/unit/a.test.js': 'a\n', 'src/a.js': 'a\n', 'package.json': '{}\n', 'sub/package.json': '{}\n' };

const changed = (run: TestRun, to: string, globs: string[], most = 50): Promise<string[]> =>
  protectedChanges({ paths: run.paths, from: run.request.repository.commit, to, globs, most });

test("names what differs from the run's base below git's globs, over several rounds", async () => {
  const run = await startRun(userRepository(files));
  await run.round('echo b > tests/unit/b.test.js; echo x >> src/a.js');
  const { commit } = await run.round('echo x >> package.json; echo x >> sub/package.json');
  expect(await changed(run, commit, ['tests/**', 'package.json'])).toEqual(['package.json', 'tests/unit/b.test.js']);
  expect(await changed(run, commit, ['**/package.json'])).toEqual(['package.json', 'sub/package.json']);
  expect(await changed(run, commit, ['*.lock', 'docs/**'])).toEqual([]);
  expect(await changed(run, commit, [])).toEqual([]);
});

test('a folder, a path from the top and a path with a dot mean what they look like', async () => {
  const run = await startRun(userRepository(files));
  const { commit } = await run.round('echo x >> tests/unit/a.test.js');
  for (const glob of ['tests', 'tests/', '/tests/**', './tests/**', './/tests']) {
    expect([glob, await changed(run, commit, [glob])]).toEqual([glob, ['tests/unit/a.test.js']]);
  }
});

test('a file that is moved away, deleted or made executable has changed; one that was given back has not', async () => {
  const run = await startRun(userRepository(files));
  const moved = await run.round('git mv tests/unit/a.test.js src/b.js; chmod +x package.json; rm sub/package.json');
  const globs = ['tests/**', '**/package.json'];
  expect(await changed(run, moved.commit, globs)).toEqual(['package.json', 'sub/package.json', 'tests/unit/a.test.js']);
  const back = await run.round(`git checkout -q ${run.request.repository.commit} -- .; chmod -x package.json`);
  expect(await changed(run, back.commit, globs)).toEqual([]);
});

test('a submodule below a glob counts', async () => {
  const run = await startRun(userRepository(files));
  const { commit } = await run.round(`
    mkdir tests/vendored; ${link(run.request.repository.commit, 'tests/vendored')}`);
  expect(await changed(run, commit, ['tests/**'])).toEqual(['tests/vendored']);
});

test('of very many paths the first are named, with names of every kind', async () => {
  const run = await startRun(userRepository(files));
  const { commit } = await run.round('for i in $(seq 100 399); do echo x > tests/$i; done; echo x > \'tests/ü "x"\'');
  expect(await changed(run, commit, ['tests/**'], 3)).toEqual(['tests/100', 'tests/101', 'tests/102']);
  expect(await changed(run, commit, ['tests/*"'])).toEqual(['tests/ü "x"']);
});

/** As `git submodule add` leaves it. */
const link = (commit: string, path: string): string =>
  `git config -f .gitmodules submodule.x.path ${path}; git config -f .gitmodules submodule.x.url ./x; git add .gitmodules
   git update-index --add --cacheinfo 160000,${commit},${path}; git commit -qm link`;

test.each(['vendor/**', 'vendor/**/*', '**/vendor/**'])(
  'a submodule whose commit was moved counts, by %s',
  async (glob) => {
    const run = await startRun(userRepository(files));
    const first = await run.round(`mkdir vendor; ${link('1'.repeat(40), 'vendor')}`);
    const { commit } = await run.round(link('2'.repeat(40), 'vendor'));
    const moved = { paths: run.paths, from: first.commit, to: commit, most: 50 };
    expect(await protectedChanges({ ...moved, globs: [glob] })).toEqual(['vendor']);
    expect(await protectedChanges({ ...moved, globs: ['src/**'] })).toEqual([]);
  },
);

test('where names are told apart by case alone, a glob takes every case of them', () => {
  expect(protectedPathspecs(['tests/**'], { foldsCase: false })).toEqual([':(top,glob)tests/**', ':(top,glob)tests']);
  expect(protectedPathspecs(['a.txt'], { foldsCase: true })).toEqual([':(top,glob,icase)a.txt']);
});

const attributes = (lines: string, file = '.gitattributes'): string => `printf '${lines}\\n' > ${file}`;

test.each([
  ['other line ends', attributes('tests/** eol=crlf')],
  [
    'other line ends by a macro, further down',
    attributes('[attr]odd text eol=crlf') + `; ${attributes('* odd', 'tests/unit/.gitattributes')}`,
  ],
  ['the old name of line ends', attributes('* crlf\\ntests/** eol=crlf')],
  ['another encoding', attributes('*.js text working-tree-encoding=UTF-16')],
  ['an expanded $Id$', attributes('tests/unit/a* ident')],
])(
  'a protected file to which attributes give %s has changed, though its bytes in git have not',
  async (_what, script) => {
    const run = await startRun(userRepository(files));
    const { commit } = await run.round(script);
    const named = await changed(run, commit, ['tests/unit/*.js', 'package.json']);
    expect(named).toEqual(['tests/unit/a.test.js (by .gitattributes)']);
  },
);

test('attributes that leave the bytes of what is protected as they were are no change', async () => {
  const run = await startRun(userRepository({ ...files, '.gitattributes': '*.json eol=crlf\n' }));
  const { commit } = await run.round(
    attributes('* text=auto\\n*.json eol=crlf\\nsrc/** eol=crlf\\n*.js diff=js -ident'),
  );
  expect(await changed(run, commit, ['tests/**', '**/package.json'])).toEqual([]);
  expect(await changed(run, commit, ['src/**'])).toEqual(['src/a.js (by .gitattributes)']);
});
