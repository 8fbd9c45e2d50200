import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { commitWork, publish, shell, startRun, tryShell, userRepository, type TestRun } from './user-repository.ts';

/** What an agent may make of its tree, each in a shell of its own. */
const OF_TREE: readonly string[] = [
  'mkfifo fifo; mkdir -p sub; mkfifo sub/fifo',
  'python3 -c \'import socket; socket.socket(socket.AF_UNIX).bind("socket")\'',
  'mkdir -p locked/in; echo x > locked/in/x; chmod 000 locked',
  'echo x > unreadable; chmod 000 unreadable',
  'ln -s . loop; ln -s nowhere dangling; ln -s / root; ln -s /dev/zero zero',
  'rm -rf b.txt; mkdir b.txt; echo x > b.txt/x',
  'rm -rf src; echo x > src',
  'rm -rf src; ln -s /tmp src',
  'rm -rf src; ln -s /nowhere/at/all src',
  'rm -rf b.txt; mkfifo b.txt',
  'rm -rf src/deep; ln -s .. src/deep',
  'git init -q nested; echo x > nested/x',
  'git init -q nested; cd nested; echo x > x; git add .; git -c user.name=a -c user.email=a commit -qm x',
  'git init -q nested; rm nested/.git/HEAD; mkfifo nested/.git/HEAD; echo x > nested/x',
  'git init -q --bare bare.git',
  'git init -q src 2>/dev/null; echo x > src/beside',
  'mkdir -p cut; echo "gitdir: /nowhere" > cut/.git; echo x > cut/x',
  'mkdir -p cut2; ln -s /nowhere cut2/.git; echo x > cut2/x',
  'mkdir -p odd; mkfifo odd/.git; echo x > odd/x',
  'git worktree add -q ../outside 2>/dev/null; git worktree add -q inside 2>/dev/null',
  `echo x > $'new\\nline'; echo x > $'tab\\tand "quote"'; echo x > 'back\\slash'; echo x > "it's"`,
  `echo x > $'bad-\\xff\\xfe'; mkdir -p $'dir-\\xff'; echo x > $'dir-\\xff/in'`,
  `echo x > -rf; echo x > ':(top)magic'; echo x > '*'; echo x > '[a]'; echo x > '!not'; echo x > '#hash'; echo x > 'ends '`,
  'echo x > "git~1"; mkdir -p .GIT; echo x > .GIT/config; mkdir -p sub/.Git; echo x > sub/.Git/x',
  'echo x > "$(printf "%0255d" 7)"; mkdir -p "$(printf "%0200d" 1)/$(printf "%0200d" 2)"; echo x > "$(printf "%0200d" 1)/$(printf "%0200d" 2)/x"',
  "mkdir -p deep; cd deep; echo x > near; python3 -c \"import os\nfor n in range(600): os.mkdir('folder-%d' % n); os.chdir('folder-%d' % n)\nopen('far', 'w').write('x')\"",
  'truncate -s 101M large; truncate -s 3G huge',
  "rm -rf .gitignore; echo '*' > .gitignore",
  "rm -rf .gitignore; echo '/ignored' > .gitignore; echo x > ignored; mkdir -p sub; echo '!x' > sub/.gitignore; echo x > sub/x",
  'rm -f .gitignore; mkfifo .gitignore',
  'rm -f .gitignore; mkdir -p .gitignore; echo x > .gitignore/x',
  'rm -f .gitignore; ln -s /dev/zero .gitignore',
  'mkdir -p sub; mkfifo sub/.gitignore; echo x > sub/y',
  "rm -rf .gitattributes; echo '* working-tree-encoding=UTF-32' > .gitattributes; echo abc > encoded",
  "rm -rf .gitattributes; echo '* text=auto eol=crlf' > .gitattributes; printf 'a\\r\\nb\\n' > mixed; touch a.txt b.txt",
  "rm -rf .gitattributes; echo '*.txt filter=lfs diff=evil ident' > .gitattributes; echo '$Id$' > id.txt",
  'rm -rf .gitattributes; mkfifo .gitattributes; echo x > beside-attributes',
  'rm -rf .gitattributes; mkdir -p .gitattributes; echo x > .gitattributes/x',
  'rm -rf .gitmodules; mkfifo .gitmodules',
  `rm -rf .gitmodules; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./evil\\n' > .gitmodules`,
  'rm -rf .gitmodules .gitattributes; head -c 5000 /dev/urandom > .gitmodules; head -c 5000 /dev/urandom > .gitattributes',
  'for n in $(seq 300); do echo $n > many-$n; done',
  'ln a.txt hard; chmod 4755 a.txt; touch -d 1970-01-01 b.txt; touch -d 2100-01-01 future; chmod 700 . ',
  'rm -rf a.txt b.txt src',
  'find . -path ./.git -prune -o -type f -print | xargs touch',
  'mkdir -p empty/of/all',
  "rm -f binary; printf 'x' > binary; head -c 100000 /dev/urandom >> binary",
  'chmod 000 . ; true',
  'echo x > src/more; chmod -R a-w .',
  'umask 777; echo x > none; mkdir -p closed/in; echo x > work-2.txt',
  'chmod 000 src/deep src; chmod 000 a.txt',
  'cd ..; rm -rf tree',
  'cd ..; rm -rf tree; echo x > tree',
  'cd ..; mv tree away; mkdir tree; echo x > tree/other',
  'cd ..; mv tree away; ln -s away tree',
  'chattr +i a.txt; echo x > c.txt',
  'mkdir -p still; echo x > still/x; chattr +i still',
  'echo x > grows; chattr +a grows src',
  'git rm -q --cached a.txt; git update-index --assume-unchanged b.txt; echo more >> b.txt',
  'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),pointer; git commit -qm pointer',
  'git init -q inner; git -C inner -c user.name=a -c user.email=a commit -q --allow-empty -m x; git add inner; git commit -qm inner',
  'git mv src moved; git commit -qm moved; git mv moved src',
  `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./evil\\n' > .gitmodules; git add .gitmodules; git commit -qm evil`,
];

/** What it may make of its repository. */
const OF_GIT: readonly string[] = [
  'rm -rf .git',
  'rm -rf .git; echo x > .git',
  'rm -rf .git; ln -s /tmp .git',
  'rm -rf .git; mkfifo .git',
  'rm -rf .git/*',
  'rm -rf .git/HEAD; head -c 9999 /dev/urandom > .git/HEAD',
  'rm -f .git/HEAD; mkfifo .git/HEAD',
  'rm -f .git/HEAD; mkdir .git/HEAD',
  'ln -sf HEAD .git/HEAD',
  'rm -rf .git/HEAD; echo "ref: refs/heads/none" > .git/HEAD',
  'rm -rf .git/index; head -c 999 /dev/urandom > .git/index',
  'rm -f .git/index; mkfifo .git/index',
  'touch .git/index.lock .git/HEAD.lock .git/refs/heads/ralph.lock .git/config.lock',
  'head -c 999 /dev/urandom > .git/config',
  'chmod 000 .git/objects .git/refs; chmod 000 .git',
  'mkfifo .git/refs/heads/fifo; ln -s /dev/zero .git/refs/heads/zero; mkdir -p .git/refs/heads/x/y/z',
  'oid=$(git rev-parse HEAD); for n in x x/y head/x heads; do echo "$oid refs/heads/$n"; done > .git/packed-refs; git commit -q --allow-empty -m c; oid=$(git rev-parse HEAD); for n in x x/y x/y/z; do echo "$oid refs/heads/$n"; done > .git/packed-refs',
  'git commit -q --allow-empty -m c; for n in $(seq 300); do git rev-parse HEAD > .git/refs/heads/b$n; done; git commit -q --allow-empty -m d',
  'echo "$PWD/.git/objects" > .git/objects/info/alternates; git commit -q --allow-empty -m c',
  'git add -A; git commit -qm all',
  'git add -A; git commit -qm all; rm -rf .git/objects/??',
  'echo s >> a.txt; git stash -q; git stash -q',
  'git commit -q --amend --allow-empty -m amended',
  'git checkout -q --orphan other; git commit -q --allow-empty -m orphan',
  'git checkout -q --detach; git commit -q --allow-empty -m detached',
  'mkdir -p .git/rebase-merge; echo x > .git/rebase-merge/head-name',
  'git rev-parse HEAD > .git/MERGE_HEAD; git rev-parse HEAD > .git/CHERRY_PICK_HEAD',
  'git rev-parse HEAD > .git/shallow; head -c 99 /dev/urandom >> .git/shallow',
  'rm -rf .git/logs; mkfifo .git/logs; mkdir -p .git/modules/x; mkfifo .git/modules/x/HEAD',
  "cd .git; python3 -c \"import os\nfor n in range(600): os.mkdir('folder-%d' % n); os.chdir('folder-%d' % n)\"",
  'mkdir -p .git/hooks; printf "#!/bin/sh\\nexit 1\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
  'echo s >> a.txt; git stash -q; chmod -R 000 .git/logs',
  'git commit -q --allow-empty -m c; chmod -R 000 .git',
  'cd .git/refs/heads; for n in $(seq 15); do mkdir "$(printf "%0250d" "$n")"; cd "$(printf "%0250d" "$n")"; done; git rev-parse HEAD > here',
  'chattr +i .git',
  'chattr -R +i .git/objects',
  'git gc -q --prune=now; git commit -q --allow-empty -m packed',
  'git replace -f HEAD HEAD~ 2>/dev/null; git notes add -m note; git tag -a -m tag v9',
  'mv .git/objects ../objects-away; ln -s ../../objects-away .git/objects; git commit -q --allow-empty -m c',
  'git worktree add -q ../beside -b beside; cd ../beside; git commit -q --allow-empty -m beside',
  'true',
];

/** Numbers that are the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x9e3779b1;
  return (below) => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state % below;
  };
}

/** The scripts of one state, in the order in which the agent runs them. */
export function oddState(seed: number): string[] {
  const next = numbers(seed);
  const pick = (from: readonly string[]): string => from[next(from.length)] ?? '';
  // The first ones go through the lists, so that each is there at least once.
  const first = seed < OF_TREE.length ? (OF_TREE[seed] ?? '') : pick(OF_TREE);
  const more = Array.from({ length: next(4) }, () => pick(OF_TREE));
  const ofGit = seed < OF_GIT.length ? (OF_GIT[OF_GIT.length - 1 - seed] ?? '') : pick(OF_GIT);
  return next(2) === 0 ? [first, ...more, ofGit] : [ofGit, first, ...more];
}

/**
 * Let an agent leave such a state, and take the checkpoint. Every file that can be reached is in the commit, ignored or
 * named; the branch moves; and the next round starts. Returns what does not hold, empty if all does.
 */
export async function faultsAfter(seed: number): Promise<string[]> {
  const run = await startRun(
    userRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'src/c.txt': 'three\n', 'src/deep/d.txt': 'four\n' }),
  );
  const { paths, request } = run;
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(paths.tree, 'echo work > work.txt');
  for (const script of oddState(seed)) tryShell(paths.tree, script, 3);
  const done = await commitWork({ paths, request, round: 1, attempt: 1, status: 'continue', summary: 's' });

  const committed = new Set(latin1(paths.repository, ['ls-tree', '-r', '-z', '--name-only', done.commit]));
  const notes = done.notes.join('\n');
  const ignored = new Set(ignoredOf(run));
  const missing = reachable(paths.tree).filter((path) => !committed.has(path) && !isNamed(path, notes));
  const lost = missing.filter((path) => !isBelow(path, ignored));
  const faults =
    lost.length <= countedIn(notes) ? [] : lost.map((path) => `${JSON.stringify(path)} is neither committed nor named`);

  const placed = await publish({ paths, request, commit: done.commit });
  if (placed.ref !== 'refs/heads/ralph/mend') faults.push(`the branch did not move: ${placed.note}`);
  await beginRound({ paths, round: 2, attempt: 1 });
  shell(paths.tree, 'git log -1 --format=%s; echo on > on.txt');
  const next = await commitWork({ paths, request, round: 2, attempt: 1, status: 'continue', summary: 's' });
  if (next.base !== done.commit) faults.push('the next round does not go on from this one');
  return faults;
}

const latin1 = (gitDir: string, args: string[]): string[] =>
  spawnSync('git', ['--git-dir', gitDir, ...args], { encoding: 'latin1', maxBuffer: 1e9 })
    .stdout.split('\0')
    .slice(0, -1);

/** Files and links below the tree, as Latin-1, as far as the system's paths reach. */
function reachable(tree: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    let entries;
    try {
      entries = readdirSync(Buffer.from(join(tree, folder), 'latin1'), { withFileTypes: true, encoding: 'buffer' });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = `${folder}${entry.name.toString('latin1')}`;
      if (path === '.git') continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  };
  if (lstatSync(tree, { throwIfNoEntry: false })?.isDirectory() === true) walk('');
  return found.filter((path) => {
    try {
      lstatSync(Buffer.from(`${tree}/${path}`, 'latin1'));
      return true;
    } catch {
      return false;
    }
  });
}

/** A note names a path, or a folder above it, as a whole word. */
function isNamed(path: string, notes: string): boolean {
  const parts = Buffer.from(path, 'latin1').toString('utf8').split('/');
  return parts.some((_, at) => isWordIn(parts.slice(0, at + 1).join('/'), notes));
}

function isWordIn(name: string, notes: string): boolean {
  for (let at = notes.indexOf(name); at !== -1; at = notes.indexOf(name, at + 1)) {
    if (isEdge(notes[at - 1]) && isEdge(notes[at + name.length])) return true;
  }
  return false;
}

const isEdge = (character: string | undefined): boolean => character === undefined || /[\s"'(),.:;/…]/.test(character);

/** How many files the notes count and do not name. */
const countedIn = (notes: string): number =>
  [...notes.matchAll(/and (\d+) more/g)].reduce((sum, [, count]) => sum + Number(count), 0);

/** A folder that holds a repository stands for all that is in it. */
const isBelow = (path: string, ignored: ReadonlySet<string>): boolean =>
  ignored.has(path) || path.split('/').some((_, at, parts) => ignored.has(`${parts.slice(0, at + 1).join('/')}/`));

/** What git's rules leave out. Asked without names, as git would take some of them for patterns. */
function ignoredOf({ paths }: TestRun): string[] {
  const args = ['--work-tree', paths.tree, 'ls-files', '-z', '--others', '--ignored', '--exclude-standard'];
  const how = { cwd: paths.tree, encoding: 'latin1', timeout: 10_000 } as const;
  const { stdout } = spawnSync('git', ['--git-dir', paths.repository, ...args], how);
  return (stdout ?? '').split('\0');
}
