import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runsConfiguredHooks } from './runs-configured-hooks.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  tryShell,
  userRepository,
  publish,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

/**
 * A folder with a git that runs hooks which the configuration defines, as git does from 2.54 on: nothing where this
 * machine's is such a one, else a program that asks the real one which of the hooks `one` and `t=wo` are on.
 */
function gitWithConfiguredHooks(): string {
  const folder = temporaryFolder();
  if (runsConfiguredHooks()) return folder;
  shell(
    folder,
    `cat > git <<'END'
#!/bin/bash
git=${execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()}
before=()
for word; do
  [ "$word" = update-ref ] || { before+=("$word"); continue; }
  for name in one t=wo; do
    enabled=$("$git" "\${before[@]}" config --type=bool --default=true --get "hook.$name.enabled")
    [ "$enabled" = true ] && eval "$("$git" "\${before[@]}" config --get "hook.$name.command")"
  done
  break
done
exec "$git" "$@"
END
    chmod +x git`,
  );
  return folder;
}

test.each([
  ['the configuration', 'git config'],
  ['a file that it includes', 'git config include.path more; git config -f .git/more'],
  ["the working tree's configuration", 'git config extensions.worktreeConfig true; git config --worktree'],
])('hooks that %s defines do not run when the branch of a run moves', async (_, set) => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  const canary = join(temporaryFolder(), 'canary');
  for (const name of ['one', 't=wo']) {
    const file = set.replaceAll('git config include.path more; ', '');
    shell(
      folder,
      `${set} "hook.${name}.event" reference-transaction; ${file} "hook.${name}.command" "touch ${canary}"`,
    );
  }
  const path = process.env['PATH'] ?? '';
  const hooked = `${gitWithConfiguredHooks()}:${path}`;
  tryShell(folder, `PATH="${hooked}" git update-ref refs/heads/x HEAD`);
  expect(existsSync(canary)).toBe(true);
  rmSync(canary);

  const byTheUser = (script: string): void => {
    shell(folder, script);
    rmSync(canary, { force: true });
  };
  process.env['PATH'] = hooked;
  try {
    const run = await startRun(folder);
    const { commit } = await run.round('echo x > x.txt');
    const placed = await publish({ paths: run.paths, request: run.request, commit });
    expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
    expect(existsSync(canary)).toBe(false);
    byTheUser('git checkout -q ralph/mend');
    const next = await run.round('echo y > y.txt');
    await publish({ paths: run.paths, request: run.request, commit: next.commit });
    expect(existsSync(canary)).toBe(false);
    byTheUser('git checkout -q main');
    await publish({ paths: run.paths, request: run.request, commit: next.commit });
  } finally {
    process.env['PATH'] = path;
  }
  expect(existsSync(canary)).toBe(false);
});
