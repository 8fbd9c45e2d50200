import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RalphError } from '../../schemas/errors/index.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import type { Containment, Mounts } from './containment.ts';

export type ProbeResult = { readonly works: true } | { readonly works: false; readonly cause: string };

const GRACE_MS = 0;
const PROVE_MS = 5_000;

/**
 * Try a containment by holding a small command with the very flags a round would get. At a bubblewrap level the
 * command also looks whether a file that must be masked is: a program that is merely called bwrap does not pass.
 */
export async function probe(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  const root = await mkdtemp(path.join(tmpdir(), 'ralph-probe-'));
  try {
    const mounts = await probeMounts(root);
    const files = {
      masked: path.join(root, 'masked'),
      stdin: path.join(root, 'stdin'),
      fence: path.join(root, 'fence'),
    };
    await Promise.all([writeFile(files.masked, ''), writeFile(files.stdin, '')]);
    const masks = containment.mechanism === 'bubblewrap' || containment.mechanism === 'keeper-bubblewrap';
    const contained = await containment.start({
      argv: ['/bin/sh', '-c', masks ? '[ ! -e "$1" ]' : ':', 'probe', files.masked],
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
    if (receipt.proof === 'unproved') return { works: false, cause: 'the end of a test command could not be proved' };
    return exit.code === 0 ? { works: true } : { works: false, cause: 'a test command saw a file that must be masked' };
  } catch (error) {
    if (error instanceof RalphError) return { works: false, cause: error.message };
    throw error;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

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
