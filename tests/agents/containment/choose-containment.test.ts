import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { failingBwrap } from './failing-bwrap.ts';
import { standInWorkers } from './stand-in-workers.ts';

const { built, folder: scratch } = standInWorkers();

/** Ask a process of its own, as the answer is kept for the life of a process. */
async function choose(how: {
  level: string;
  network: boolean;
  searchPath: string;
  wrap: string[];
  /** Asked so often, of the same process. */
  times?: number;
  platform?: string;
  /** Ask which level the run's reviewer gets. */
  reviewer?: boolean;
}): Promise<string> {
  const module = pathToFileURL(path.join(built.build, 'agents/containment/choose/choose-containment.js')).href;
  const script = `
    Object.defineProperty(process, 'platform', { value: ${JSON.stringify(how.platform ?? process.platform)} });
    const { chooseContainment, reviewerSandbox } = await import(${JSON.stringify(module)});
    const sandbox = ${JSON.stringify({ level: how.level, network: how.network, readable: [] })};
    for (let time = 1; time <= ${how.times ?? 1}; time++) {
      if (${how.reviewer === true}) console.log((await reviewerSandbox(sandbox)).level);
      else console.log(await chooseContainment({ sandbox }).then(({ mechanism }) => mechanism, (error) => error.code + ': ' + error.message + ' ' + (error.cause?.code ?? '')));
    }`;
  const args = [...how.wrap, process.execPath, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)('/usr/bin/env', args, {
    env: { PATH: how.searchPath, HOME: '/nonexistent' },
  });
  return stdout.trim();
}

/** A PATH with these programs only. */
function pathWith(name: string, programs: readonly string[]): string {
  const folder = path.join(scratch, name);
  mkdirSync(folder);
  for (const program of programs) symlinkSync(`/usr/bin/${program}`, path.join(folder, program));
  return folder;
}

const PATH = process.env.PATH ?? '';

test.each(['read-only', 'workspace-write', 'full-access'])(
  'bubblewrap holds %s, with and without the network',
  async (level) => {
    expect(await choose({ level, network: true, searchPath: PATH, wrap: [] })).toBe('bubblewrap');
    expect(await choose({ level, network: false, searchPath: PATH, wrap: [] })).toBe('bubblewrap');
  },
);

test('without bubblewrap a level is refused, with the cause and what to install; full-access falls to the subreaper', async () => {
  const searchPath = pathWith('no-bwrap', ['perl', 'prlimit']);
  const refusal = await choose({ level: 'workspace-write', network: true, searchPath, wrap: [] });
  expect(refusal).toMatch(
    /^sandbox-unavailable: .*"workspace-write".*no bwrap on PATH.*apt install bubblewrap.*--sandbox full-access/,
  );
  expect(await choose({ level: 'full-access', network: true, searchPath, wrap: [] })).toBe('subreaper');
  expect(await choose({ level: 'full-access', network: false, searchPath, wrap: [] })).toMatch(
    /^network-switch-unavailable: .*no bwrap on PATH\. Install bubblewrap .*\. Or let the agent have the network: --network\.$/,
  );
  for (const words of [/did not start/, /\.\./, /doctor/]) expect(refusal).not.toMatch(words);
});

test('where there is neither bubblewrap nor Linux, full-access falls to the process group', async () => {
  const how = { network: true, searchPath: pathWith('darwin', ['perl']), wrap: [], platform: 'darwin' };
  expect(await choose({ level: 'full-access', ...how })).toBe('process-group');
  expect(await choose({ level: 'workspace-write', ...how })).toMatch(
    /^sandbox-unavailable: .*no bwrap on PATH\. Sandboxes need Linux with bubblewrap\. .*--sandbox full-access/,
  );
});

test('perl is needed only by the subreaper: without it bubblewrap holds, and without both the process group', async () => {
  const searchPath = pathWith('no-perl', ['bwrap']);
  expect(await choose({ level: 'workspace-write', network: true, searchPath, wrap: [] })).toBe('bubblewrap');
  const neither = pathWith('nothing', []);
  expect(await choose({ level: 'full-access', network: true, searchPath: neither, wrap: [] })).toBe('process-group');
});

test('where the system is not Linux nothing can be held without perl, which is said', async () => {
  const how = { level: 'full-access', network: true, searchPath: pathWith('darwin-nothing', []), wrap: [] };
  expect(await choose({ ...how, platform: 'darwin' })).toMatch(
    /^sandbox-unavailable: .*no perl on PATH\. Every round needs mkfifo and, where the system is not Linux, perl and ps/,
  );
});

test('a program that is merely called bwrap does not pass for a sandbox', async () => {
  const searchPath = pathWith('false-bwrap', ['perl', 'prlimit']);
  const ran = path.join(scratch, 'ran');
  const impostor = path.join(searchPath, 'bwrap');
  writeFileSync(
    impostor,
    `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; : > ${ran}; echo "{\\"child-pid\\": $$}" >&3; "$@"\n`,
  );
  chmodSync(impostor, 0o755);
  const refusal = await choose({ level: 'workspace-write', network: true, searchPath, wrap: [] });
  expect(refusal).toMatch(/^sandbox-unavailable: /);
  expect(existsSync(ran)).toBe(true);
});

test('where user namespaces are forbidden a level is refused, with the setting that forbids them', async () => {
  // A user namespace of the test's own, in which no further one may be made.
  const wrap = [
    'unshare',
    '--user',
    '--map-root-user',
    'sh',
    '-c',
    'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"',
    'sh',
  ];
  const refusal = await choose({ level: 'workspace-write', network: true, searchPath: PATH, wrap });
  expect(refusal).toMatch(/^sandbox-unavailable: .*"workspace-write"/);
  expect(refusal).toMatch(/user\.max_user_namespaces/);
});

const reviewerLevel = (level: string, searchPath: string): Promise<string> =>
  choose({ level, network: true, searchPath, wrap: [], reviewer: true });

test('a reviewer is held to read-only, and has full access only where its run has it and there is no sandbox', async () => {
  const without = pathWith('reviewer-without', ['perl', 'prlimit']);
  const asked = ['workspace-write', 'full-access'];
  expect(await Promise.all(asked.map((level) => reviewerLevel(level, PATH)))).toEqual(['read-only', 'read-only']);
  expect(await Promise.all(asked.map((level) => reviewerLevel(level, without)))).toEqual(['read-only', 'full-access']);
});

test('a bad moment gives a reviewer no more than it should have', async () => {
  const words = 'Creating new namespace failed: Resource temporarily unavailable';
  const searchPath = failingBwrap(pathWith('reviewer-short', ['perl', 'prlimit']), words, 100);
  expect(await reviewerLevel('full-access', searchPath)).toBe('read-only');
});

const PROGRAMS = ['perl', 'prlimit'];

test('one bad moment is waited out', async () => {
  const searchPath = failingBwrap(
    pathWith('busy', PROGRAMS),
    'Creating new namespace failed: Resource temporarily unavailable',
    2,
  );
  expect(await choose({ level: 'workspace-write', network: true, searchPath, wrap: [] })).toBe('bubblewrap');
});

test('a machine without room gives no quieter level, and says what is wanting', async () => {
  const searchPath = failingBwrap(
    pathWith('full', PROGRAMS),
    'Creating new namespace failed: Resource temporarily unavailable',
    100,
  );
  const refusal = await choose({ level: 'full-access', network: true, searchPath, wrap: [] });
  expect(refusal).toMatch(/^machine-short: .*temporarily unavailable\. Free some/);
});

test('a full disk is told from what the machine cannot do', async () => {
  const full = 'mount -t tmpfs -o nr_inodes=1 none /tmp && exec "$@"';
  const wrap = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', full, 'sh'];
  const refusal = await choose({ level: 'full-access', network: true, searchPath: PATH, wrap });
  expect(refusal).toMatch(/^machine-short: .*ENOSPC.*Free some.* ENOSPC$/);
});

/** A PATH whose bwrap notes each of its calls. */
function counting(name: string): string {
  const folder = pathWith(name, PROGRAMS);
  const script = `#!/bin/sh\necho once >> ${folder}/calls\nexec /usr/bin/bwrap "$@"\n`;
  writeFileSync(path.join(folder, 'bwrap'), script, { mode: 0o755 });
  return folder;
}

const callsIn = (folder: string): number => readFileSync(path.join(folder, 'calls'), 'utf8').split('\n').length;

test('what worked is not tried again in the life of a process', async () => {
  const [once, often] = [counting('asked-once'), counting('asked-often')];
  await choose({ level: 'workspace-write', network: true, searchPath: once, wrap: [] });
  await choose({ level: 'workspace-write', network: true, searchPath: often, wrap: [], times: 3 });
  expect(callsIn(often)).toBe(callsIn(once));
});

test('what did not work is tried again when it is asked for again', async () => {
  const searchPath = failingBwrap(pathWith('mended', PROGRAMS), 'No permissions to create new namespace', 1);
  const answers = await choose({ level: 'workspace-write', network: true, searchPath, wrap: [], times: 2 });
  expect(answers).toMatch(/^sandbox-unavailable: .*No permissions.*\nbubblewrap$/);
});
