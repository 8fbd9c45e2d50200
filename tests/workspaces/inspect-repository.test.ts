import { join } from 'node:path';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { removeTemporaryFolders, shell, temporaryFolder, userGit, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });

test('a folder inside the repository stands for its top level, and the ref for the commit it names now', async () => {
  const folder = plain();
  const commit = userGit(folder, 'rev-parse', 'HEAD');
  expect(await inspectRepository({ path: join(folder, 'b'), ref: 'main' })).toEqual({
    path: folder,
    ref: 'main',
    commit,
    identity: { name: 'Ada', email: 'ada@example.org' },
    ignore: '',
    warnings: [],
  });
});

test('a linked worktree is a repository of its own, with its own HEAD', async () => {
  const folder = plain();
  shell(folder, 'git worktree add -q -b side linked; cd linked; git commit -q --allow-empty -m side');
  const found = await inspectRepository({ path: join(folder, 'linked', 'b'), ref: 'HEAD' });
  expect(found).toMatchObject({ path: join(folder, 'linked'), commit: userGit(folder, 'rev-parse', 'side') });
});

test('uncommitted changes, submodules and a sparse checkout are warned of', async () => {
  const library = plain();
  const folder = plain();
  shell(
    folder,
    `git -c protocol.file.allow=always submodule --quiet add "${library}" lib; git commit -qm lib
     echo x >> a.txt; echo s > s.txt; git add s.txt; echo u > untracked.txt`,
  );
  const { warnings } = await inspectRepository({ path: folder, ref: 'HEAD' });
  expect(warnings).toEqual([
    expect.stringMatching(/^Uncommitted changes in 2 files are not part of the run/),
    expect.stringContaining('submodules are empty'),
  ]);
  const sparse = plain();
  userGit(sparse, 'sparse-checkout', 'set', '--cone', 'nothing');
  expect((await inspectRepository({ path: sparse, ref: 'HEAD' })).warnings).toEqual([
    expect.stringContaining('sparse'),
  ]);
});

/** Repositories that are refused before anything starts: code, and what the message must name. */
/** A folder whose `.git` names a bare repository below it, and whose working trees are folders beside that. */
function bareTop(): string {
  const folder = temporaryFolder();
  shell(folder, `git clone -q --bare "${plain()}" .bare; echo "gitdir: ./.bare" > .git; git worktree add -q side main`);
  return folder;
}

test('a linked working tree of a bare repository can be worked on', async () => {
  const { path, warnings } = await inspectRepository({ path: join(bareTop(), 'side'), ref: 'HEAD' });
  expect({ path: path.endsWith('/side'), warnings }).toEqual({ path: true, warnings: [] });
});

const refused: { title: string; code: string; says: string; ref?: string; make: () => string }[] = [
  { title: 'a folder that is no repository', code: 'not-a-repository', says: '--repo', make: temporaryFolder },
  {
    title: 'a folder that does not exist',
    code: 'repository-folder-missing',
    says: 'nowhere',
    make: () => join(temporaryFolder(), 'nowhere'),
  },
  {
    title: 'a bare repository',
    code: 'bare-repository',
    says: 'bare',
    make: () => {
      const folder = temporaryFolder();
      userGit(folder, 'init', '-q', '--bare');
      return folder;
    },
  },
  {
    title: 'the bare top of a layout with linked working trees',
    code: 'bare-repository',
    says: 'linked working tree',
    make: () => bareTop(),
  },
  {
    title: 'the inside of a .git folder',
    code: 'bare-repository',
    says: 'bare',
    make: () => join(plain(), '.git', 'objects'),
  },
  {
    title: 'a repository without commits',
    code: 'repository-without-commits',
    says: 'git commit',
    make: () => {
      const folder = temporaryFolder();
      userGit(folder, 'init', '-q');
      return folder;
    },
  },
  { title: 'a base that does not exist', code: 'no-such-base', says: '"gone"', ref: 'gone', make: plain },
  { title: 'a base that looks like an option', code: 'no-such-base', says: '"--all"', ref: '--all', make: plain },
  { title: 'a base that is no commit', code: 'no-such-base', says: 'HEAD:a.txt', ref: 'HEAD:a.txt', make: plain },
  {
    title: 'SHA-256',
    code: 'unsupported-object-format',
    says: 'sha256',
    make: () => {
      const folder = temporaryFolder();
      shell(
        folder,
        'git init -q --object-format=sha256; git -c user.name=a -c user.email=a commit -q --allow-empty -m x',
      );
      return folder;
    },
  },
  {
    title: 'a partial clone',
    code: 'partial-clone',
    says: '--filter',
    make: () => {
      const origin = plain();
      const folder = join(temporaryFolder(), 'clone');
      userGit(origin, 'config', 'uploadpack.allowFilter', 'true');
      userGit(origin, 'clone', '-q', '--filter=blob:none', `file://${origin}`, folder);
      return folder;
    },
  },
  {
    title: 'files of LFS, also where it is not installed',
    code: 'content-filter',
    says: 'deep/x.psd uses the content filter "lfs"',
    make: () => userRepository({ 'deep/.gitattributes': '*.psd filter=lfs diff=lfs -text\n', 'deep/x.psd': 'v1\n' }),
  },
  {
    title: 'files of git-crypt',
    code: 'content-filter',
    says: 'git-crypt',
    make: () => userRepository({ '.gitattributes': '[attr]crypt filter=git-crypt\nkey crypt\n', key: 'secret\n' }),
  },
  {
    title: 'a filter that the user configured, named in info/attributes',
    code: 'content-filter',
    says: 'a.txt',
    make: () => {
      const folder = plain();
      shell(folder, 'git config filter.rot.clean "tr a-z b-za"; echo "*.txt filter=rot" > .git/info/attributes');
      return folder;
    },
  },
  {
    title: 'a repository whose base is damaged',
    code: 'unreadable-repository',
    says: 'git fsck',
    make: () => {
      const folder = plain();
      shell(folder, 'rm -f .git/objects/$(git rev-parse HEAD^{tree} | sed "s,^..,&/,")');
      return folder;
    },
  },
];

test.each(refused)('$title is refused: $code', async ({ make, ref = 'HEAD', code, says }) => {
  const inspected = inspectRepository({ path: make(), ref });
  await expect(inspected).rejects.toMatchObject({ name: 'RalphError', code, exit: 2 });
  await expect(inspected).rejects.toThrow(says);
});

test('a filter attribute that matches no file, or names a filter that nobody configured, is no obstacle', async () => {
  const folder = userRepository({ '.gitattributes': '*.psd filter=lfs\n*.txt filter=unknown\n', 'a.txt': 'one\n' });
  await expect(inspectRepository({ path: folder, ref: 'HEAD' })).resolves.toMatchObject({ warnings: [] });
});

test('an identity that git would have to guess is null, and the environment wins over the configuration', async () => {
  const folder = plain();
  userGit(folder, 'config', '--unset', 'user.email');
  const variables = { HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    expect((await inspectRepository({ path: folder, ref: 'HEAD' })).identity).toBeNull();
    process.env['GIT_AUTHOR_EMAIL'] = 'other@example.org';
    const { identity } = await inspectRepository({ path: folder, ref: 'HEAD' });
    expect(identity).toEqual({ name: 'Ada', email: 'other@example.org' });
  } finally {
    process.env = before;
  }
});
