// Set up, then run jest with the arguments given.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setUp } from './set-up.mjs';
import { ROOT } from './sources.mjs';

try {
  const { temporalCli } = await setUp({ without: [] });
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status, error } = spawnSync(process.execPath, ['--experimental-vm-modules', jest, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEMPORAL_CLI: temporalCli, NODE_NO_WARNINGS: '1' },
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
