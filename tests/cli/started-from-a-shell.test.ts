import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { reporting } from './support/agents.ts';
import { git, makeRepository } from './support/repository.ts';
import { type Ended, ralph, type Scratch, scratch } from './support/ralph.ts';

/** A locale that is not installed, as over ssh from a machine that has it. */
const LOCALE = { LANG: 'tr_TR.ISO-8859-9', LC_CTYPE: 'tr_TR.ISO-8859-9' };
const ENTRY = path.join(process.cwd(), 'dist', 'cli', 'main.js');

let place: Scratch;
let repository: string;
/** What the shell has open: a file to write, and a folder. */
let opened: { file: string; folder: string };

beforeAll(async () => {
  place = await scratch();
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  opened = { file: path.join(place.folder, 'opened.txt'), folder: path.join(place.folder, 'folder') };
  await mkdir(opened.folder);
  await writeFile(opened.file, 'as it was\n');
});
afterAll(() => place.remove());

/** A command of ours from a shell with files open, as after `exec 200>lock; flock 200`. */
function fromShell(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const { PATH, HOME, TEMPORAL_CLI } = process.env;
  const script = 'exec 200<>"$OPENED_FILE" 16<"$OPENED_FOLDER"; exec "$@"';
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, ENTRY, ...args], {
    cwd: repository,
    env: {
      PATH,
      HOME,
      ...(TEMPORAL_CLI !== undefined && { TEMPORAL_CLI }),
      RALPH_HOME: place.home,
      OPENED_FILE: opened.file,
      OPENED_FOLDER: opened.folder,
      ...LOCALE,
    },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  return { child, ended: once(child, 'close').then(() => ({ ...said, code: child.exitCode })) };
}

/** Says what it has open, and its locale, and writes where it can. */
const LOOKING = `ls -l /proc/$$/fd /proc/$PPID/fd > open.txt; env > env.txt; (echo changed >&200) 2>/dev/null
${reporting({ status: 'complete', summary: 'looked around' })}`;

async function look(id: string): Promise<Ended> {
  const { ended } = fromShell([
    'run',
    'Look around.',
    '--id',
    id,
    '--command',
    LOOKING,
    '--setup',
    'ls -l /proc/$$/fd',
  ]);
  return await ended;
}

async function expectNothingOpen(id: string): Promise<void> {
  const open = git(repository, 'show', `ralph/${id}:open.txt`);
  expect(open).toMatch(/ 0 -> /);
  for (const name of Object.values(opened)) expect(open).not.toContain(name);
  expect(await readFile(opened.file, 'utf8')).toBe('as it was\n');
}

async function expectNoComplaint({ stderr }: Ended, id: string): Promise<void> {
  expect(stderr).not.toMatch(/perl|locale/i);
  const logs = path.join(place.home, 'logs');
  for (const name of await readdir(logs)) expect(await readFile(path.join(logs, name), 'utf8')).not.toMatch(/perl:/);
  const attempt = path.join(place.home, 'runs', id, 'rounds/1/attempt-1');
  expect(await readFile(path.join(attempt, 'stderr.log'), 'utf8')).not.toMatch(/perl:/);
  const env = git(repository, 'show', `ralph/${id}:env.txt`);
  expect(env).toMatch(/^LANG=tr_TR\.ISO-8859-9$/m);
  expect(env).not.toMatch(/PERL_BADLANG/);
}

test('a worker started in the background hands nothing on that the shell had open, and perl says nothing of its locale', async () => {
  const ended = await look('background');
  expect(ended).toMatchObject({ code: 0 });
  await expectNothingOpen('background');
  await expectNoComplaint(ended, 'background');
  expect(await ralph(['down'], { home: place.home })).toMatchObject({ code: 0 });
});

test('nor does a worker in the foreground', async () => {
  const { child, ended: workerEnded } = fromShell(['worker']);
  try {
    const ended = await look('foreground');
    expect(ended).toMatchObject({ code: 0 });
    await expectNothingOpen('foreground');
    await expectNoComplaint(ended, 'foreground');
  } finally {
    child.kill('SIGTERM');
  }
  await expectNoComplaint(await workerEnded, 'foreground');
});
