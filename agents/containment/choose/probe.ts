import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RalphError } from '../../../schemas/errors/index.ts';
import { errorCode } from '../../../system/error-code.ts';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import type { Containment, Mounts } from '../containment.ts';
import { inWords, saysShortage } from './container-errors.ts';

/** `passing`: the cause is the machine's state of this moment (load, memory, a full disk), not what it can do. */
export type ProbeResult =
  | { readonly works: true }
  | { readonly works: false; readonly cause: string; readonly passing: boolean; readonly error: unknown };

/** Exit code of a test command that saw what it must not see. */
const SEEN = 3;
const GRACE_MS = 0;
const PROVE_MS = 5_000;

/**
 * Try a containment by holding a small command with the very flags a round would get. At a bubblewrap level the
 * command also looks whether a file that must be masked is: a program that is merely called bwrap does not pass.
 */
export async function probe(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  let root: string | null = null;
  try {
    root = await mkdtemp(path.join(tmpdir(), 'ralph-probe-'));
    const mounts = await probeMounts(root);
    const files = {
      masked: path.join(root, 'masked'),
      stdin: path.join(root, 'stdin'),
      fence: path.join(root, 'fence'),
    };
    await Promise.all([writeFile(files.masked, ''), writeFile(files.stdin, '')]);
    const masks = containment.mechanism === 'bubblewrap';
    const contained = await containment.start({
      argv: ['/bin/sh', '-c', masks ? `[ ! -e "$1" ] || exit ${SEEN}` : ':', 'probe', files.masked],
      env: { PATH: '/usr/bin:/bin' },
      stdinFile: files.stdin,
      sandbox,
      mounts,
      fenceFile: files.fence,
    });
    contained.stdout.resume();
    contained.stderr.resume();
    const exit = await contained.exited;
    const receipt = await contained.dispose({ cause: 'finished', graceMs: GRACE_MS, proveMs: PROVE_MS });
    if (exit.code === SEEN) return fails('a test command saw a file that must be masked', false);
    if (receipt.proof === 'unproved') return fails('the end of a test command could not be proved', true);
    if (exit.code === 0) return { works: true };
    return fails(`a test command ended with ${exit.signal ?? `exit code ${exit.code}`}`, true);
  } catch (error) {
    const passing = saysShortage(error) || FULL.has(errorCode(error));
    if (passing || error instanceof RalphError) return fails(inWords(error), passing, error);
    throw error;
  } finally {
    if (root !== null) await rm(root, { recursive: true, force: true });
  }
}

function fails(cause: string, passing: boolean, error: unknown = null): ProbeResult {
  return { works: false, cause, passing, error };
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'disk-full']);

async function probeMounts(root: string): Promise<Mounts> {
  const folder = async (name: string): Promise<string> => {
    const place = path.join(root, name);
    await mkdir(place);
    return place;
  };
  const [tree, objects, home, cache, inbox] = await Promise.all(
    ['tree', 'objects', 'home', 'cache', 'inbox'].map(folder),
  );
  if (!(tree && objects && home && cache && inbox)) throw new TypeError('a folder has no path');
  return { tree, objects, home, cache, inbox, ralphHome: root, readable: [] };
}
