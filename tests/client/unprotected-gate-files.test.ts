import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { gateFileNotes, readBy, unprotectedGateFiles } from '../../client/start/unprotected-gate-files.ts';
import { strictGates } from '../../schemas/verification/gate.ts';
import { gitRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const repository = tempFolder('gate-files');

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Whether a protected glob does not match a file, as git says. */
const isUnmatched = (
  glob: string,
  { place, commit, name }: { place: string; commit: string; name: string },
): boolean => {
  const git = spawnSync(
    'git',
    ['-C', place, 'diff-tree', '-r', '--name-only', EMPTY_TREE, commit, '--', `:(top,glob)${glob}`],
    { encoding: 'utf8' },
  );
  return !git.stdout.split('\n').includes(name);
};

const suggested = (
  gate: string,
  {
    files = [],
    folder = '',
    protect = [],
    setup = null,
  }: { files?: string[]; folder?: string; protect?: string[]; setup?: string | null } = {},
): string[] => unprotectedGateFiles(readBy([gate]), { names: new Map([[folder, files]]), setup, protect });

test.each<[gate: string, files: string[], globs: string[]]>([
  ['npm test', ['package.json', 'src'], ['package.json', '.npmrc', 'node_modules/**']],
  ['CI=1 timeout 5m npm test', [], ['.npmrc', 'node_modules/**']],
  ['yarn test', ['package.json'], ['package.json', '.yarnrc.yml', 'node_modules/**']],
  ['npx jest', ['jest.config.js', 'a.js'], ['.npmrc', 'node_modules/**', 'jest.config.js']],
  ['npx -y vitest@3 run', ['vite.config.ts'], ['.npmrc', 'node_modules/**', 'vite.config.ts', 'vitest.config.*']],
  ['bun test', [], ['bunfig.toml', 'node_modules/**']],
  ['make check', ['Makefile', 'GNUmakefile.am'], ['Makefile', 'GNUmakefile', 'makefile']],
  ['cargo test --locked', ['Cargo.toml', 'Cargo.lock'], ['Cargo.toml', '.cargo/**', 'build.rs']],
  ['pytest -q', ['tox.ini'], ['tox.ini', 'pytest.ini', '**/conftest.py']],
  ['python3.12 -m pytest', [], ['pytest.ini', '**/conftest.py']],
  ['tox -e py', ['tox.ini'], ['tox.ini', '**/conftest.py']],
  ['go test ./...', ['go.mod', 'go.sum'], ['go.mod', 'go.sum', 'go.work', 'vendor/**']],
  ['./mvnw -q verify', ['pom.xml', 'mvnw'], ['pom.xml', 'mvnw', '.mvn/**']],
  [
    './gradlew check',
    ['build.gradle.kts', 'gradlew'],
    ['build.gradle.kts', 'gradlew', 'gradle.properties', 'buildSrc/**'],
  ],
  ['bundle exec rspec', ['Gemfile'], ['Gemfile', '.rspec', '.bundle/**']],
  ['vendor/bin/phpunit', ['phpunit.xml.dist'], ['phpunit.xml.dist', 'phpunit.xml']],
  ['npm run lint && make check', [], ['.npmrc', 'node_modules/**', 'GNUmakefile', 'makefile']],
  ['! grep -r oldName src', ['Makefile', 'package.json'], []],
  ['sh scripts/check.sh', ['package.json'], []],
])('the gate "%s" in %j obeys %j', (gate, files, globs) => {
  expect(suggested(gate, { files })).toEqual(globs);
});

test.each<[gate: string, folder: string, globs: string[]]>([
  ['cd web && npm test', 'web', ['web/package.json', 'web/.npmrc', 'web/node_modules/**']],
  ['make -C ./lib check', 'lib', ['lib/GNUmakefile', 'lib/makefile']],
  ['npm --prefix web test', 'web', ['web/package.json', 'web/.npmrc', 'web/node_modules/**']],
  ['cd web; cd ..; make', '', ['GNUmakefile', 'makefile']],
  ['cd "$(git rev-parse --show-toplevel)" && make', '', []],
  ['cd /srv && make', '', []],
  ['cd ../other && make', '', []],
])('what the gate "%s" obeys lies where it runs: %j', (gate, folder, globs) => {
  expect(suggested(gate, { files: ['package.json'], folder })).toEqual(globs);
});

test.each<[protect: string[], globs: string[]]>([
  [['package.json'], ['.npmrc', 'node_modules/**']],
  [['*'], ['node_modules/**']],
  [['**'], []],
  [['node_modules', '.npmrc'], ['package.json']],
  [['**/.npmrc', 'node_modules/**', 'package.jso[n]'], []],
  [['package?json', '.np[!x]rc', '**/node_modules/**'], []],
  [
    ['tests/**', 'packageXjson', 'sub/**'],
    ['package.json', '.npmrc', 'node_modules/**'],
  ],
])('what %j protects is not suggested again', (protect, globs) => {
  expect(suggested('npm test', { files: ['package.json'], protect })).toEqual(globs);
});

test('a glob protects what it matches for git', () => {
  const files = { 'package.json': '{}', '.npmrc': '', 'node_modules/x': '' };
  const { path: place, commit } = gitRepository(path.join(repository, 'globs'), files);
  const globs = ['*', '**', '**/*', '*/**', '**/x', 'n*', 'n*/**', 'node_modules', 'node_modules/*', '.npm*', '.np?rc'];
  const odd = [
    'p**',
    '[.]npmrc',
    '[!a-o]*',
    'package.json/**',
    '**/**',
    'node_modules/**/x',
    '.+rc',
    'node_modules/',
    '[z-a]*',
    '[z-a]',
  ];
  for (const glob of [...globs, ...odd]) {
    const unmatched = Object.keys(files).map((name) => isUnmatched(glob, { place, commit, name }));
    const expected = ['package.json', '.npmrc', 'node_modules/**'].filter((_, at) => unmatched[at]);
    expect([glob, suggested('npm test', { files: ['package.json'], protect: [glob] })]).toEqual([glob, expected]);
  }
});

test('a single file does not protect the same name in other folders', () => {
  expect(suggested('pytest', { protect: ['conftest.py', 'pytest.ini'] })).toEqual(['**/conftest.py']);
});

test('a setup that removes node_modules leaves no program of an agent in it', () => {
  expect(suggested('npm test', { setup: 'npm ci' })).toEqual(['.npmrc']);
  expect(suggested('npm test', { setup: 'npm install' })).toEqual(['.npmrc', 'node_modules/**']);
});

test('a launch names what its gates obey in one line, with what is in the commit', async () => {
  const files = { 'package.json': '{}', 'web/makefile': '', 'web/Makefile.old': '' };
  const { path: place, commit } = gitRepository(path.join(repository, 'launched'), files);
  const notes = (protect: string[]): Promise<string[]> =>
    gateFileNotes({
      repository: { path: place, ref: 'HEAD', commit },
      setup: null,
      gates: ['npm test', 'make -C web check', 'npm run lint'].map((command) => ({ command, timeoutMs: 1_000 })),
      gatePolicy: { ...strictGates, protect },
    });
  expect(await notes([])).toEqual([
    'The gates obey files that agents may change. To protect them, add --protect "package.json,.npmrc,node_modules/**,web/makefile,web/GNUmakefile" (docs/gates.md).',
  ]);
  expect(await notes(['**'])).toEqual([]);
});
