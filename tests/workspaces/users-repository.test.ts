import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.ts';
import {
  publish as publishCommit,
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  tryShell,
  userGit,
  userRepository,
  type TestRun,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n', '.gitignore': '*.log\n' });

const publish = (run: TestRun, commit: string) => publishCommit({ ...run, commit });

/** Repositories that a run must neither disturb nor get wrong; each makes the folder that the run is started in. */
const repositories: { title: string; make: () => string }[] = [
  { title: 'a plain repository', make: plain },
  {
    title: 'uncommitted, staged and untracked changes and a stash',
    make: () => {
      const folder = plain();
      shell(
        folder,
        'echo s >> a.txt; git stash -q; echo staged > s.txt; git add s.txt; echo x >> a.txt; echo u > u.txt',
      );
      return folder;
    },
  },
  {
    title: 'a detached HEAD',
    make: () => {
      const folder = plain();
      shell(folder, 'git checkout -q --detach; git commit -q --allow-empty -m detached');
      return folder;
    },
  },
  {
    title: 'a linked worktree',
    make: () => {
      const folder = plain();
      shell(folder, 'git worktree add -q -b side linked; cd linked; git commit -q --allow-empty -m side');
      return join(folder, 'linked');
    },
  },
  {
    title: 'symbolic links, also dangling ones and ones to the outside',
    make: () => {
      const folder = plain();
      shell(
        folder,
        'ln -s a.txt link; ln -s /etc/passwd out; ln -s nowhere gone; ln -s b dir; git add -A; git commit -qm links',
      );
      return folder;
    },
  },
  {
    title: 'non-ASCII and odd file names',
    make: () => {
      const folder = plain();
      shell(
        folder,
        `touch ä.txt 日本.txt "with space" $'new\\nline' '"quoted"' -- '-dash' '$(touch ran)' ';touch ran' '*' 'a\\b'
         touch $'latin1-\\xe9'; touch "$(printf 'x%.0s' {1..250})"; echo x | tee ä.txt >/dev/null; git add -A; git commit -qm odd`,
      );
      return folder;
    },
  },
  {
    title: 'CRLF rules',
    make: () => {
      const folder = plain();
      shell(
        folder,
        `printf '*.bat eol=crlf\\n*.txt text\\n*.u16 text working-tree-encoding=UTF-16LE-BOM\\n*.id ident\\n' > .gitattributes
         printf 'a\\r\\nb\\r\\n' > x.bat; printf 'a\\r\\n' > y.bin; echo '$Id$' > z.id
         printf 'hi\\n' | iconv -t UTF-16 > w.u16; git add -A; git commit -qm crlf; printf 'a\\r\\n' > raw.bin; git add -A; git commit -qm raw`,
      );
      return folder;
    },
  },
  {
    title: 'a submodule',
    make: () => {
      const library = userRepository({ 'lib.txt': 'lib\n' });
      const folder = plain();
      shell(
        folder,
        `git -c protocol.file.allow=always submodule --quiet add "${library}" lib; git commit -qm "Add lib"`,
      );
      return folder;
    },
  },
  {
    title: 'borrowed objects (alternates)',
    make: () => {
      const origin = plain();
      const folder = join(temporaryFolder(), 'clone');
      userGit(origin, 'clone', '-q', '--shared', origin, folder);
      return folder;
    },
  },
  {
    title: 'a shallow clone',
    make: () => {
      const origin = plain();
      shell(origin, 'git commit -q --allow-empty -m 2; git commit -q --allow-empty -m 3');
      const folder = join(temporaryFolder(), 'clone');
      userGit(origin, 'clone', '-q', '--depth', '2', `file://${origin}`, folder);
      return folder;
    },
  },
  {
    title: 'a sparse checkout',
    make: () => {
      const folder = plain();
      userGit(folder, 'sparse-checkout', 'set', '--cone', 'nothing');
      return folder;
    },
  },
  {
    title: 'packed objects and packed refs',
    make: () => {
      const folder = plain();
      shell(folder, 'git tag -m v v1; git gc -q');
      return folder;
    },
  },
  {
    title: 'settings of their own for lines, names and worktrees',
    make: () => {
      const folder = plain();
      shell(
        folder,
        'git config core.autocrlf true; git config core.quotePath true; git config core.ignoreCase true; git config core.fileMode false',
      );
      return folder;
    },
  },
];

test.each(repositories)('a run on $title takes it as it is, and leaves it as it was', async ({ make }) => {
  const folder = make();
  const before = fingerprint(folder);
  const run = await startRun(folder);
  const nothing = await run.round('true');
  const something = await run.round(
    `echo by the agent > made.txt; git add made.txt; git commit -qm mine; echo more > "made ä.txt"`,
  );
  const placed = await publish(run, something.commit);

  expect(nothing.changes).toEqual({ files: 0, insertions: 0, deletions: 0 });
  expect([...nothing.notes, ...something.notes]).toEqual([]);
  expect(something.changes).toEqual({ files: 2, insertions: 2, deletions: 0 });
  expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(fingerprint(folder)).toEqual(before);
  userGit(folder, 'fsck', '--strict', '--connectivity-only');
  expect(userGit(folder, 'diff', '--stat', 'ralph/mend~2', 'ralph/mend')).toContain('2 files changed');
});

test('nothing that the user or the environment of the worker has set up for git is run', async () => {
  const folder = plain();
  const canary = join(temporaryFolder(), 'canary');
  const evil = join(temporaryFolder(), 'evil');
  shell(
    folder,
    `printf '#!/bin/sh\\ntouch "${canary}"\\n' > "${evil}"; chmod +x "${evil}"; mkdir -p .git/hooks
     for hook in reference-transaction post-checkout post-index-change pre-commit post-update update pre-receive; do
       cp "${evil}" .git/hooks/$hook; done
     for setting in core.fsmonitor core.pager core.editor diff.external core.alternateRefsCommand uploadpack.packObjectsHook \
       gpg.program core.sshCommand filter.x.clean filter.x.smudge filter.x.process diff.x.textconv; do
       git config $setting "${evil}"; done
     echo '* diff=x' > .git/info/attributes; echo '* filter=y' >> .git/info/attributes`,
  );
  tryShell(folder, 'git commit --allow-empty -m fired; git reset -q --hard HEAD~1');
  expect(existsSync(canary)).toBe(true);
  shell(folder, `rm "${canary}"`);

  const hostile = {
    GIT_DIR: '/nowhere',
    GIT_EXTERNAL_DIFF: evil,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: evil,
    GIT_INDEX_FILE: '/nowhere',
  };
  const path = process.env['PATH'];
  Object.assign(process.env, hostile, { PATH: `.:../tree:${path}` });
  try {
    const run = await startRun(folder);
    const done = await run.round(
      `printf '#!/bin/sh\\ntouch "${canary}"\\n' > git; chmod +x git; mkdir d; cp git d/git`,
    );
    expect(await publish(run, done.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
    expect(done.changes.files).toBe(2);
  } finally {
    for (const name of Object.keys(hostile)) delete process.env[name];
    process.env['PATH'] = path;
  }
  expect(existsSync(canary)).toBe(false);
});
