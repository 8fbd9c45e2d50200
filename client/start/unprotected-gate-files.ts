import path from 'node:path';
import { plainCommands, type PlainCommand } from '../../agents/run/plain-commands.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readGit } from '../../workspaces/git/read-git.ts';
import { findRepository } from '../../workspaces/repository/find-repository.ts';

/** The files by which a program decides whether a gate is green. */
interface Deciders {
  readonly programs: readonly string[];
  /** Named if they are there. */
  readonly reads: readonly string[];
  /** Named in any case: an agent that adds one changes what the program does. */
  readonly obeys: readonly string[];
}

const NODE_MODULES = 'node_modules/**';

/** What `docs/gates.md` lists, as far as it has a name of its own. */
const DECIDERS: readonly Deciders[] = [
  {
    programs: ['npm', 'npx', 'pnpm'],
    reads: ['package.json', 'pnpm-workspace.yaml', '.pnpmfile.cjs'],
    obeys: ['.npmrc', NODE_MODULES],
  },
  { programs: ['yarn'], reads: ['package.json', '.pnp.cjs'], obeys: ['.yarnrc.yml', NODE_MODULES] },
  { programs: ['bun', 'bunx'], reads: ['package.json'], obeys: ['bunfig.toml', NODE_MODULES] },
  { programs: ['deno'], reads: ['deno.json', 'deno.jsonc', 'package.json'], obeys: [] },
  { programs: ['jest'], reads: ['package.json', 'jest.config.*', 'babel.config.*'], obeys: [] },
  { programs: ['vitest'], reads: ['vite.config.*', 'vitest.config.*'], obeys: ['vitest.config.*'] },
  { programs: ['mocha'], reads: ['package.json', '.mocharc.*'], obeys: ['.mocharc.*'] },
  { programs: ['eslint'], reads: ['eslint.config.*'], obeys: ['eslint.config.*'] },
  { programs: ['tsc'], reads: ['tsconfig.json', 'tsconfig.*.json'], obeys: [] },
  { programs: ['make', 'gmake'], reads: ['makefile', 'Makefile'], obeys: ['GNUmakefile', 'makefile'] },
  { programs: ['just'], reads: ['justfile', '.justfile', 'Justfile'], obeys: [] },
  { programs: ['task'], reads: ['Taskfile.*'], obeys: [] },
  {
    programs: ['cargo'],
    reads: ['Cargo.toml', 'rust-toolchain', 'rust-toolchain.toml', 'build.rs'],
    obeys: ['.cargo/**', 'build.rs'],
  },
  {
    programs: ['pytest', 'py.test'],
    reads: ['pyproject.toml', 'tox.ini', 'setup.cfg'],
    obeys: ['pytest.ini', '**/conftest.py'],
  },
  { programs: ['tox'], reads: ['tox.ini', 'pyproject.toml', 'setup.cfg'], obeys: ['tox.ini', '**/conftest.py'] },
  { programs: ['nox'], reads: ['noxfile.py'], obeys: ['**/conftest.py'] },
  { programs: ['go'], reads: ['go.mod', 'go.sum'], obeys: ['go.work', 'vendor/**'] },
  { programs: ['mvn', 'mvnw'], reads: ['pom.xml', 'mvnw'], obeys: ['.mvn/**'] },
  {
    programs: ['gradle', 'gradlew'],
    reads: ['build.gradle*', 'settings.gradle*', 'gradlew', 'gradle'],
    obeys: ['gradle.properties', 'buildSrc/**'],
  },
  { programs: ['bundle', 'rake', 'rspec'], reads: ['Gemfile', 'Rakefile'], obeys: ['.rspec', '.bundle/**'] },
  {
    programs: ['dotnet'],
    reads: ['global.json', '*.sln', '*.csproj', '*.runsettings'],
    obeys: ['Directory.Build.props', 'Directory.Build.targets', 'nuget.config'],
  },
  { programs: ['composer', 'phpunit'], reads: ['composer.json', 'phpunit.xml.dist'], obeys: ['phpunit.xml'] },
  { programs: ['bazel'], reads: ['MODULE.bazel', 'WORKSPACE'], obeys: ['.bazelrc'] },
  { programs: ['cmake', 'ctest'], reads: ['CMakeLists.txt', 'CMakePresets.json'], obeys: [] },
];

type Asked = Pick<RunRequest, 'repository' | 'setup' | 'gates' | 'gatePolicy'>;

/** What the gates' programs obey and nothing protects, in one line. An agent could turn a gate green through it. */
export async function gateFileNotes({ repository, setup, gates, gatePolicy }: Asked): Promise<string[]> {
  const read = readBy(gates.map(({ command }) => command));
  const names = new Map<string, readonly string[]>();
  for (const { folder } of read) {
    if (!names.has(folder)) names.set(folder, await namesIn(repository, folder));
  }
  const found = unprotectedGateFiles(read, { names, setup, protect: gatePolicy.protect });
  if (found.length === 0) return [];
  return [
    `The gates obey files that agents may change. To protect them, add --protect "${found.join(',')}" (docs/gates.md).`,
  ];
}

async function namesIn({ path: place, commit }: RunRequest['repository'], folder: string): Promise<string[]> {
  const { gitDir } = await findRepository(place);
  const below = folder === '' ? [] : ['--', `${folder}/`];
  const text = await readGit({ gitDir, args: ['ls-tree', '--full-tree', '--name-only', '-z', commit, ...below] });
  return text
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => path.posix.basename(name));
}

/** A folder from the top of the repository ("": the top), and what a program that starts there goes by. */
interface ReadBy {
  readonly folder: string;
  readonly deciders: Deciders;
}

/** What the programs go by that shell commands plainly start. What a script starts is not known. */
export function readBy(shellCommands: readonly string[]): ReadBy[] {
  return shellCommands.flatMap((shellCommand) => {
    let folder: string | null = '';
    const found: ReadBy[] = [];
    for (const command of plainCommands(shellCommand)) {
      if (command.program === 'cd') folder = inside(folder, command.words[0]);
      const own = inside(folder, folderOption(command));
      if (own === null) continue;
      const started = programsOf(command);
      const all = DECIDERS.filter(({ programs }) => programs.some((program) => started.includes(program)));
      found.push(...all.map((deciders) => ({ folder: own, deciders })));
    }
    return found;
  });
}

function programsOf({ before, program, words }: PlainCommand): string[] {
  const name = path.posix.basename(program);
  const module = /^python[\d.]*$/.test(name) && words[0] === '-m' ? [words[1] ?? ''] : [];
  // What `bundle exec`, `npm exec` and the like start.
  const started = ['exec', 'run', 'dlx', 'x'].includes(words[0] ?? '') ? [words[1] ?? ''] : [];
  return [...before, name, ...module, ...started];
}

/** `make -C sub`, `npm --prefix sub`. */
function folderOption({ words }: PlainCommand): string {
  const at = words.findIndex((word) => word === '-C' || word === '--prefix' || word === '--cwd');
  return at === -1 ? '' : (words[at + 1] ?? '');
}

/** Null: a folder that only the shell knows, or one outside of the repository. */
function inside(folder: string | null, below: string | undefined): string | null {
  if (folder === null || below === undefined || below.startsWith('/') || /[$~*?`]/.test(below)) return null;
  const joined = path.posix.join(folder, below).replace(/\/$/, '');
  if (joined === '..' || joined.startsWith('../')) return null;
  return joined === '.' ? '' : joined;
}

/** As globs for `--protect`. Pure. @param names what lies in each folder */
export function unprotectedGateFiles(
  read: readonly ReadBy[],
  {
    names,
    setup,
    protect,
  }: { names: ReadonlyMap<string, readonly string[]>; setup: string | null; protect: readonly string[] },
): string[] {
  // `npm ci` removes the folder before it installs.
  const isInstalledAnew = plainCommands(setup ?? '').some(
    ({ program, words }) => program === 'npm' && ['ci', 'clean-install'].includes(words[0] ?? ''),
  );
  const globs = read.flatMap(({ folder, deciders: { reads, obeys } }) => {
    const there = names.get(folder) ?? [];
    const present = reads.flatMap((glob) => there.filter((name) => globMatches(glob, name)));
    const absent = obeys.filter((glob) => glob !== NODE_MODULES || !isInstalledAnew);
    return [...present, ...absent].map((glob) => path.posix.join(folder, glob));
  });
  return [...new Set(globs)].filter((glob) => {
    const sample = glob.replaceAll('**', 'x').replaceAll('*', 'x');
    return !protect.some((known) => known === glob || globMatches(known, sample));
  });
}

/** As git matches a pathspec of the kind `glob`; one without wildcards also matches everything below it. */
function globMatches(glob: string, name: string): boolean {
  const isLiteral = !/[*?[]/.test(glob);
  const pattern = glob.replaceAll(/^\*\*$|\*\*\/|\/\*\*$|\*+|\?|\[!?[^\]]*\]|[^]/g, (token) => {
    if (glob === '**') return '.*';
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**') return '/.*';
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.length > 1) return token.replace('[!', '[^');
    return token.replace(/[.+^$()|{}\\]/, String.raw`\$&`);
  });
  const below = isLiteral ? (glob.endsWith('/') ? '.*' : '(?:/.*)?') : '';
  try {
    return new RegExp(`^${pattern}${below}$`).test(name);
  } catch {
    // A range such as [z-a], the only part that can be wrong, matches nothing for git.
    return false;
  }
}
