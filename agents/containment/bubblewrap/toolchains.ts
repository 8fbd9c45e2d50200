import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder of the user's home that holds programs, and the variable that tells them where it is. */
interface Toolchain {
  /** Below the home folder, where the variable does not say otherwise. */
  readonly folder: string;
  readonly variable: string | null;
}

/**
 * What of the user's home a sandboxed command may read: programs and libraries, never settings, keys or caches.
 * `.cargo` counts with its `bin` alone, as `credentials.toml` lies beside it. Listed in `docs/sandbox.md`.
 */
const TOOLCHAINS: readonly Toolchain[] = [
  { folder: '.rustup', variable: 'RUSTUP_HOME' },
  { folder: '.cargo/bin', variable: null },
  { folder: '.pyenv', variable: 'PYENV_ROOT' },
  { folder: '.nvm', variable: 'NVM_DIR' },
  { folder: '.fnm', variable: 'FNM_DIR' },
  { folder: '.local/share/fnm', variable: 'FNM_DIR' },
  { folder: '.volta', variable: 'VOLTA_HOME' },
  { folder: '.asdf', variable: 'ASDF_DATA_DIR' },
  { folder: '.local/share/mise', variable: 'MISE_DATA_DIR' },
  { folder: '.nodenv', variable: 'NODENV_ROOT' },
  { folder: '.rbenv', variable: 'RBENV_ROOT' },
  { folder: '.rvm', variable: 'rvm_path' },
  { folder: '.goenv', variable: 'GOENV_ROOT' },
  { folder: '.jenv', variable: null },
  { folder: '.sdkman', variable: 'SDKMAN_DIR' },
  { folder: '.ghcup', variable: null },
  { folder: '.dotnet', variable: 'DOTNET_ROOT' },
  { folder: '.deno', variable: null },
  { folder: '.bun', variable: 'BUN_INSTALL' },
  { folder: '.npm-global', variable: null },
  { folder: '.npm-packages', variable: null },
  { folder: '.local/bin', variable: null },
  { folder: '.local/lib', variable: null },
  { folder: '.local/share/pnpm', variable: 'PNPM_HOME' },
  { folder: '.local/share/uv', variable: null },
  { folder: 'go/bin', variable: null },
];

/** Never shown, whatever PATH or a variable says. */
const SECRET =
  /(^|\/)\.(ssh|gnupg|aws|azure|kube|docker|config(?!\/nvm(\/|$))|netrc|password-store|claude|codex|gemini)(\/|$)/;

export interface Toolchains {
  /** Folders that exist, absolute. */
  readonly folders: readonly string[];
  /** Variables that programs need to find them when HOME is another folder. */
  readonly env: Readonly<Record<string, string>>;
}

/** The toolchains that stand in a home folder, and the folders of PATH in it with the libraries beside them. */
export function toolchainsIn(home: string, workerEnv: Readonly<Record<string, string | undefined>>): Toolchains {
  const folders = new Set<string>();
  const env: Record<string, string> = {};
  for (const { folder, variable } of TOOLCHAINS) {
    const stated = variable === null ? undefined : workerEnv[variable];
    const place = stated !== undefined && path.isAbsolute(stated) ? stated : path.join(home, folder);
    if (!existsSync(place)) continue;
    if (showable(place, home)) folders.add(place);
    if (variable !== null && !(variable in env)) env[variable] = place;
  }
  const searched = [...(workerEnv.PATH ?? '').split(path.delimiter), path.dirname(process.execPath)];
  for (const bin of searched.filter((entry) => path.isAbsolute(entry)).map((entry) => path.normalize(entry))) {
    const beside = path.basename(bin) === 'bin' ? [path.join(path.dirname(bin), 'lib')] : [];
    for (const place of [bin, ...beside]) {
      if (existsSync(place) && showable(place, home)) folders.add(place);
    }
  }
  return { folders: [...folders], env };
}

/** Below the home folder (elsewhere nothing is hidden), not the home itself, and nothing secret. */
function showable(place: string, home: string): boolean {
  const relative = path.relative(home, place);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) && !SECRET.test(`/${relative}`);
}
