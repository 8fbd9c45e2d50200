import { runsConfiguredHooks } from './runs-configured-hooks.ts';

/** One way of making git run a program of the attacker's choice. `$CANARY` is the file whose being there tells it ran. */
export interface Injection {
  readonly title: string;
  /** Run by the agent in its tree, which holds a.txt. */
  readonly plant: string;
  /** What a plain git in that tree would be asked to do and fall for it. */
  readonly falls: string;
  /** No setting keeps git from it: the engine asks git for nothing of the kind, and has a GIT_DIR and PATH of its own. */
  readonly plumbingOnly?: true;
}

/** A program that leaves the canary and then fails. */
const EVIL = `printf '#!/bin/sh\\ntouch "%s"\\nexit 1\\n' "$CANARY" > evil; chmod +x evil; evil=$PWD/evil`;
const HOOK = `printf '#!/bin/sh\\ntouch "%s"\\n' "$CANARY"`;

export const injections: readonly Injection[] = [
  {
    title: 'core.fsmonitor',
    plant: `${EVIL}; git config core.fsmonitor "$evil"`,
    falls: 'git status',
  },
  {
    title: 'hooks in .git/hooks',
    plant: `mkdir -p .git/hooks; for h in pre-commit post-commit post-index-change post-checkout; do
      ${HOOK} > .git/hooks/$h; chmod +x .git/hooks/$h; done`,
    falls: 'git commit --allow-empty -m x',
  },
  {
    title: 'a reference-transaction hook',
    plant: `mkdir -p .git/hooks; ${HOOK} > .git/hooks/reference-transaction; chmod +x .git/hooks/*`,
    falls: 'git update-ref refs/heads/x HEAD',
  },
  {
    title: 'core.hooksPath into the tree',
    plant: `mkdir hooks; ${HOOK} > hooks/reference-transaction; chmod +x hooks/*; git config core.hooksPath hooks`,
    falls: 'git update-ref refs/heads/x HEAD',
  },
  {
    title: 'a clean filter',
    plumbingOnly: true,
    plant: `${EVIL}; git config filter.evil.clean "$evil"; echo '*.txt filter=evil' > .gitattributes; echo x > new.txt`,
    falls: 'git add -A',
  },
  {
    title: 'a smudge filter',
    plumbingOnly: true,
    plant: `${EVIL}; git config filter.evil.smudge "$evil"; echo '*.txt filter=evil' > .gitattributes; rm a.txt`,
    falls: 'git checkout -- a.txt',
  },
  {
    title: 'a filter process',
    plumbingOnly: true,
    plant: `${EVIL}; git config filter.evil.process "$evil"; echo '* filter=evil' > .git/info/attributes; echo x > new.txt`,
    falls: 'git add -A',
  },
  {
    title: 'a diff driver',
    plumbingOnly: true,
    plant: `${EVIL}; git config diff.evil.command "$evil"; echo '*.txt diff=evil' > .gitattributes; echo x >> a.txt`,
    falls: 'git diff',
  },
  {
    title: 'a textconv driver',
    plumbingOnly: true,
    plant: `${EVIL}; git config diff.evil.textconv "$evil"; echo '*.txt diff=evil' > .gitattributes; echo x >> a.txt`,
    falls: 'git diff',
  },
  {
    title: 'an external diff',
    plumbingOnly: true,
    plant: `${EVIL}; git config diff.external "$evil"; echo x >> a.txt`,
    falls: 'git diff',
  },
  {
    title: 'a merge driver',
    plumbingOnly: true,
    plant: `${EVIL}; git config merge.evil.driver "$evil %A"; echo '*.txt merge=evil' > .gitattributes
      git checkout -q -b side; echo side > a.txt; git commit -qam side; git checkout -q ralph; echo main > a.txt; git commit -qam main`,
    falls: 'git merge side',
  },
  {
    title: 'gpg.program',
    plant: `${EVIL}; git config gpg.program "$evil"; git config commit.gpgSign true; git config tag.gpgSign true`,
    falls: 'git commit --allow-empty -m x',
  },
  {
    title: 'core.sshCommand',
    plant: `${EVIL}; git config core.sshCommand "$evil"; git remote add origin ssh://localhost/x`,
    falls: 'git fetch',
  },
  {
    title: "a remote's uploadpack",
    plant: `${EVIL}; git remote add origin "file://$PWD"; git config remote.origin.uploadpack "$evil"`,
    falls: 'git fetch',
  },
  {
    title: 'a promisor remote that lazily fetches by a command',
    plant: `${EVIL}; git config protocol.ext.allow always; git config core.repositoryformatversion 1
      git config extensions.partialClone origin; git remote add origin "ext::$evil"; git config remote.origin.promisor true
      git update-ref refs/heads/gone $(printf 'tree %s\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nx\\n' ${'1'.repeat(40)} | git hash-object -t commit -w --stdin --literally)`,
    falls: 'git cat-file -p gone:a.txt',
  },
  {
    title: "a promisor remote's uploadpack",
    plant: `${EVIL}; git config core.repositoryformatversion 1; git config extensions.partialClone origin
      git remote add origin "file://$PWD"; git config remote.origin.promisor true; git config remote.origin.uploadpack "$evil"
      git update-ref refs/heads/gone $(printf 'tree %s\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nx\\n' ${'1'.repeat(40)} | git hash-object -t commit -w --stdin --literally)`,
    falls: 'git cat-file -p gone:a.txt',
  },
  {
    title: 'core.alternateRefsCommand',
    plant: `${EVIL}; git config core.alternateRefsCommand "$evil"; git clone -q --bare . ../other.git
      git -C ../other.git -c user.name=a -c user.email=a commit-tree -m new HEAD^{tree} | xargs git -C ../other.git update-ref refs/heads/new`,
    falls: 'git fetch ../other.git "refs/heads/*:refs/remotes/other/*"',
  },
  {
    title: 'core.alternateRefsCommand, asked for what an alternate has',
    plant: `${EVIL}; git config core.alternateRefsCommand "$evil"; git clone -q --bare . ../other.git
      echo "$PWD/../other.git/objects" >> .git/objects/info/alternates`,
    falls: 'git rev-list --alternate-refs',
  },
  {
    title: 'an included configuration file',
    plant: `${EVIL}; git config -f conf core.fsmonitor "$evil"; git config include.path "$PWD/conf"`,
    falls: 'git status',
  },
  {
    title: 'a configuration file that is included on a condition',
    plant: `${EVIL}; git config -f conf core.fsmonitor "$evil"; git config "includeIf.gitdir:**.path" "$PWD/conf"`,
    falls: 'git status',
  },
  {
    title: 'config.worktree',
    plant: `${EVIL}; git config core.repositoryformatversion 1; git config extensions.worktreeConfig true
      git config -f .git/config.worktree core.fsmonitor "$evil"`,
    falls: 'git status',
  },
  {
    title: 'an alias, an editor and a pager',
    plumbingOnly: true,
    plant: `${EVIL}; git config alias.evil "!$evil"; git config core.editor "$evil"; git config core.pager "$evil"
      git config sequence.editor "$evil"; git config credential.helper "!$evil"`,
    falls: 'git evil </dev/null',
  },
  {
    title: 'a .git file that names another repository',
    plant: `${EVIL}; git init -q ../elsewhere; cp -r .git/. ../elsewhere/.git; git -C ../elsewhere config core.fsmonitor "$evil"
      rm -rf .git; echo "gitdir: $PWD/../elsewhere/.git" > .git`,
    falls: 'git status',
  },
  {
    title: 'a symbolic link in place of .git',
    plant: `${EVIL}; mv .git ../moved; git -C ../moved config core.fsmonitor "$evil"; ln -s "$PWD/../moved" .git`,
    falls: 'git status',
  },
  {
    title: 'a nested repository that is tracked',
    plant: `${EVIL}; git init -q inner; git -C inner config core.fsmonitor "$evil"; git -C inner -c user.name=a -c user.email=a commit -q --allow-empty -m x
      git add inner; git commit -qm "Add inner"; echo x > inner/x; rm -f "$CANARY"`,
    falls: 'git status',
  },
  {
    title: 'a nested repository behind a .git file',
    plant: `${EVIL}; git init -q inner; git -C inner config core.fsmonitor "$evil"; git -C inner -c user.name=a -c user.email=a commit -q --allow-empty -m x
      mv inner/.git .git/inner; echo "gitdir: ../.git/inner" > inner/.git; git add inner; git commit -qm "Add inner"; echo x > inner/x; rm -f "$CANARY"`,
    falls: 'git status',
  },
  {
    title: 'a bare repository in the tree',
    plant: `${EVIL}; git init -q --bare bare; git -C bare config core.bare false; git -C bare config core.worktree "$PWD/bare"
      git -C bare config core.fsmonitor "$evil"; rm -f "$CANARY"`,
    falls: 'cd bare; git status',
  },
  {
    title: "a trailer's command",
    plumbingOnly: true,
    plant: `${EVIL}; git config trailer.ralph-run.command "$evil"; git config trailer.ralph-run.cmd "$evil"
      git config trailer.ralph-run.key Ralph-Run; git config trailer.ralph-run.ifexists add`,
    falls: 'echo x | git interpret-trailers',
  },
  {
    title: 'a submodule whose update is a command',
    plumbingOnly: true,
    plant: `${EVIL}; git init -q ../sub; git -C ../sub -c user.name=a -c user.email=a commit -q --allow-empty -m x
      git -c protocol.file.allow=always submodule --quiet add "$PWD/../sub" sub; git commit -qm "Add sub"
      git config submodule.sub.update "!$evil </dev/null"; git -C sub config core.fsmonitor "$evil"`,
    falls: 'git status; git submodule update --force',
  },
  {
    title: 'a program named git in the tree',
    plumbingOnly: true,
    plant: `${HOOK} > git; chmod +x git; mkdir bin; cp git bin/git`,
    falls: 'export PATH=".:$PATH"; git status',
  },
  ...(runsConfiguredHooks()
    ? [
        {
          title: 'hooks in the configuration',
          plant: `${EVIL}; for e in reference-transaction pre-commit post-index-change; do
            git config "hook.evil.$e.event" $e; git config "hook.evil.$e.command" "$evil"; done; rm -f "$CANARY"`,
          falls: 'git commit --allow-empty -m x; git update-ref refs/heads/x HEAD',
        },
      ]
    : []),
];
