import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { oddState } from './odd-states.ts';
import { removeTemporaryFolders, temporaryFolder } from './user-repository.ts';

afterAll(removeTemporaryFolders);

/** Rights hold nothing from root, so these states are tried by another user where this one is root. */
const USER = 54_321;
const asUser =
  process.getuid?.() === 0 ? ['setpriv', '--reuid', String(USER), '--regid', String(USER), '--clear-groups'] : ['env'];

const SEEDS = Array.from({ length: 240 }, (_, seed) => seed)
  .filter((seed) => oddState(seed).some((script) => script.includes('chmod 000') || script.includes('umask')))
  .slice(0, 12);

test('odd states whose rights are taken away cost no file, no branch and no round of a user without privileges', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'odd-states.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'odd-states.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  execFileSync('chown', ['-R', asUser[0] === 'env' ? String(process.getuid?.()) : `${USER}:${USER}`, folder]);
  const script = `
    const { faultsAfter } = await import(${JSON.stringify(program)});
    const faults = {};
    for (const seed of ${JSON.stringify(SEEDS)})
      faults[seed] = await faultsAfter(seed).catch((error) => [String(error)]);
    console.log(JSON.stringify(faults));`;
  const [command, ...args] = [...asUser, process.execPath, '--input-type=module', '-e', script];
  const env = { PATH: process.env['PATH'], TMPDIR: folder, HOME: folder };
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  expect({ stderr, faults: JSON.parse(stdout === '' ? 'null' : stdout) }).toEqual({
    stderr: '',
    faults: Object.fromEntries(SEEDS.map((seed) => [seed, []])),
  });
}, 240_000);
