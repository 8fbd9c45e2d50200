import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import { definedOnly, type Environment } from '../environment.ts';
import { hasCode } from '../../system/error-code.ts';
import { homePaths } from '../home-paths.ts';

/** What a worker started in the background has of the environment of whoever asked first: this machine, no keys. */
const MACHINE = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TZ|TMPDIR|LC_[A-Z]+|XDG_[A-Z_]+)$/,
  // How to reach Temporal.
  /^TEMPORAL_[A-Z0-9_]+$/,
  // How to reach the network, and package mirrors as the sandbox hands them on.
  /^(HTTPS?_PROXY|NO_PROXY|ALL_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE)$/i,
  /^(CURL_CA_BUNDLE|GIT_SSL_CAINFO|npm_config_registry|PIP_INDEX_URL|UV_INDEX_URL|GOPROXY|GOSUMDB)$/,
  /^(AWS_CA_BUNDLE|PIP_CERT|CARGO_HTTP_CAINFO|npm_config_cafile)$/,
  // Where toolchains are, which the sandbox shows read-only.
  /^(RUSTUP_HOME|CARGO_HOME|PYENV_ROOT|NVM_DIR|FNM_DIR|VOLTA_HOME|ASDF_DIR|ASDF_DATA_DIR|MISE_DATA_DIR|NODENV_ROOT)$/,
  /^(RBENV_ROOT|rvm_path|GOENV_ROOT|GOROOT|GOPATH|SDKMAN_DIR|DOTNET_ROOT|BUN_INSTALL|PNPM_HOME|JAVA_HOME)$/,
];
/** The worker's current folder is another than the asker's. */
const FILES = /^TEMPORAL_(CLI|CONFIG_FILE|TLS_.+_PATH)$/;

/** The environment of a worker in the background: the machine's part of `env`, and what $RALPH_HOME/env says. */
export async function backgroundEnvironment(how: {
  ralphHome: string;
  env: Environment;
}): Promise<Record<string, string>> {
  return { ...machineOf(how.env), ...(await readEnvFile(how.ralphHome)), RALPH_HOME: how.ralphHome };
}

/** The environment of the page: the machine's part of `env`, so that it has no key of an agent. */
export const pageEnvironment = (how: { ralphHome: string; env: Environment }): Record<string, string> => ({
  ...machineOf(how.env),
  RALPH_HOME: how.ralphHome,
});

function machineOf(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !MACHINE.some((pattern) => pattern.test(name))) continue;
    kept[name] = FILES.test(name) && value !== '' ? path.resolve(value) : value;
  }
  return kept;
}

/** The environment of a worker in the foreground: its own, and of $RALPH_HOME/env what that lacks. */
export async function foregroundEnvironment(how: { ralphHome: string; env: Environment }): Promise<Environment> {
  return { ...(await readEnvFile(how.ralphHome)), ...how.env, RALPH_HOME: how.ralphHome };
}

/**
 * $RALPH_HOME/env: NAME=value lines as `util.parseEnv` reads them. Throws RalphError where others could
 * read it, and where it has a line of another kind, which would be passed over, or swallow the next.
 */
export async function readEnvFile(ralphHome: string): Promise<Record<string, string>> {
  const file = homePaths(ralphHome).env;
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) {
      throw ralphError('env-file-not-private', { file, mode: (mode & 0o7777).toString(8).padStart(4, '0') });
    }
    const text = await readFile(file, 'utf8');
    const line = strayLine(text);
    if (line !== null) throw ralphError('env-file-broken', { file, line });
    return definedOnly(parseEnv(text));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*/;
const BLANK_OR_COMMENT = /^\s*(?:#|$)/;

/** Number of the first line (from 1) of an env file that is neither NAME=value, nor a comment, nor blank; else null. */
function strayLine(text: string): number | null {
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (BLANK_OR_COMMENT.test(line)) continue;
    const assigned = ASSIGNMENT.exec(line);
    if (assigned === null) return at + 1;
    const value = line.slice(assigned[0].length);
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined || value.includes(quote, 1)) continue;
    // A quoted value may go on to where its quote closes. One that nowhere does is a value of its line.
    const end = lines.findIndex((later, index) => index > at && later.includes(quote));
    if (end !== -1) at = end;
  }
  return null;
}
