import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathWithout } from '../support/path-without.ts';
import { survivors } from '../support/survivors.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('demo');

test('without bubblewrap the demo says why, and what holds its rounds instead, and comes to its end', async () => {
  const PATH = pathWithout('bwrap', path.join(folder, 'programs'));
  const { HOME, TEMPORAL_CLI } = process.env;
  const env = { PATH, HOME, XDG_STATE_HOME: folder, ...(TEMPORAL_CLI === undefined ? {} : { TEMPORAL_CLI }) };
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.mjs'], { env });
  expect(stdout).toMatch(/no bwrap on PATH[^]*goes on with full access to this machine, held by: subreaper\./);
  expect(stdout).toMatch(/^demo-\d+: complete/m);
  expect(survivors(folder)).toEqual([]);
}, 240_000);
