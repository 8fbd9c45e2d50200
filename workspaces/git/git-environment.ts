import { isAbsolute } from 'node:path';

/**
 * Settings that win over every configuration file git might read, the user's repository's own included. In a run's own
 * repository they are a second line: GIT_DIR is the engine's there, and it asks for nothing that would run a program.
 */
const SETTINGS = [
  // A reported checkpoint must survive a power cut: by default git does not flush loose objects and refs.
  'core.fsync=committed',
  'core.fsyncMethod=batch',
  'core.hooksPath=/dev/null',
  'hook.reference-transaction.enabled=false',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  // These run nothing, but a user's rules would decide what is committed, and how.
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  // These and `protocol.allow` repeat GIT_ALLOW_PROTOCOL: if one of them is lost, git still fetches nothing.
  'core.askPass=',
  'core.sshCommand=false',
  'core.alternateRefsCommand=true',
  'core.quotePath=false',
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  // As many as there are cores. Only a checkout of more than a hundred files starts any.
  'checkout.workers=0',
  'commit.gpgSign=false',
  // A nested repository has a configuration of its own: git must not look into one at all.
  'submodule.recurse=false',
  'diff.ignoreSubmodules=all',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
] as const;

/** Put before every command's own arguments. */
export const gitSettings: readonly string[] = SETTINGS.flatMap((setting) => ['-c', setting]);

/** PATH without relative or empty entries: git must never be found in a folder that a run works in. */
function absolutePath(): string {
  const entries = (process.env['PATH'] ?? '').split(':').filter((entry) => isAbsolute(entry));
  return entries.length > 0 ? entries.join(':') : '/usr/local/bin:/usr/bin:/bin';
}

/** The engine's whole environment for git: nothing of the worker's own but PATH. */
export function engineEnvironment(): Record<string, string> {
  return {
    PATH: absolutePath(),
    LC_ALL: 'C',
    HOME: '/dev/null',
    XDG_CONFIG_HOME: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // A .gitignore of any size would be read whole.
    GIT_ALLOC_LIMIT: '2g',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
  };
}

/** Names that tell git where the user's own configuration is, and who the user is. */
const USER_NAMES = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

/** Only for `git config --get`: reads the user's configuration, which runs nothing. */
export function userConfigEnvironment(): Record<string, string> {
  const env = engineEnvironment();
  for (const name of USER_NAMES) {
    const value = process.env[name];
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}
