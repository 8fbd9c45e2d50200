import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import type { Mounts } from '../containment.ts';
import { toolchainsIn } from './toolchains.ts';

/** Name files with certificates of authorities, or a folder of them, that this machine trusts. */
const CERTIFICATES = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'AWS_CA_BUNDLE',
  'PIP_CERT',
  'CARGO_HTTP_CAINFO',
  'npm_config_cafile',
] as const;

/** Where certificates lie that a command is told of: a sandbox must show them, wherever that is. */
export function certificatePlaces(workerEnv: Readonly<Record<string, string | undefined>>): string[] {
  return CERTIFICATES.flatMap((name) => workerEnv[name] ?? []).filter((place) => path.isAbsolute(place));
}

/** Handed on where the worker has them: how this machine reaches the network, its package mirrors and toolchains. */
const HANDED_ON = [
  'TZ',
  'LANG',
  'LC_ALL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  ...CERTIFICATES,
  'npm_config_registry',
  'PIP_INDEX_URL',
  'UV_INDEX_URL',
  'GOPROXY',
  'GOSUMDB',
  'GOROOT',
  'JAVA_HOME',
] as const;

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The environment of every contained command, to which a provider adds its own: programs, a private HOME, package
 * caches of the run, and nothing else of the worker's. At level `full-access` the container sets TMPDIR anew.
 */
export function baseEnvironment({
  mounts,
  workerEnv,
}: {
  mounts: Mounts;
  workerEnv: Readonly<Record<string, string | undefined>>;
}): Record<string, string> {
  const user = userName();
  const cache = (name: string): string => path.join(mounts.cache, name);
  return {
    LANG: 'C.UTF-8',
    ...passedThrough(workerEnv),
    ...toolchainsIn(homedir(), workerEnv).env,
    PATH: searchPath(workerEnv.PATH),
    HOME: mounts.home,
    USER: user,
    LOGNAME: user,
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    XDG_CACHE_HOME: cache('xdg'),
    npm_config_cache: cache('npm'),
    npm_config_store_dir: cache('pnpm'),
    YARN_CACHE_FOLDER: cache('yarn'),
    PIP_CACHE_DIR: cache('pip'),
    UV_CACHE_DIR: cache('uv'),
    CARGO_HOME: cache('cargo'),
    GOPATH: cache('go'),
    GOCACHE: cache('go-build'),
    GRADLE_USER_HOME: cache('gradle'),
  };
}

function passedThrough(workerEnv: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of HANDED_ON) {
    const value = workerEnv[name];
    if (value !== undefined && value !== '') passed[name] = value;
  }
  return passed;
}

/** The worker's, without relative entries (the workspace is an agent's), and with the Node that runs the worker. */
function searchPath(stated: string | undefined): string {
  const folders = (stated ?? DEFAULT_PATH).split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...new Set([...folders, path.dirname(process.execPath)])].join(path.delimiter);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the user database, as in some containers.
    return 'ralph';
  }
}
