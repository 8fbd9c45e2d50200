import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection } from '@temporalio/client';
import { git, makeRepository } from '../../cli/support/repository.ts';
import { type Ended, ralph, type Scratch, scratch } from '../../cli/support/ralph.ts';
import { filesBelow, findPlanted, objectsOf, type Haystack } from '../../support/find-planted.ts';

const OBJECTIVE = 'Keep the key where it is.';
const PLANTED = 'Pl4nted+Key/0f-this_Test==w8x7';
/** What an agent that gets at its key could do with it, in every channel that it has. */
const LEAKING = String.raw`
cat >/dev/null
node -e '
  const key = process.env.PLANTED_KEY;
  console.log("raw " + key);
  console.log(JSON.stringify({ text: JSON.stringify({ key }) }));
  console.log("base64 " + Buffer.from("key=" + key).toString("base64") + " url " + encodeURIComponent(key));
  console.error("stderr " + key + " " + Buffer.from(key).toString("base64url"));
'
printf %s "$PLANTED_KEY" | cut -c1-11 | tr -d '\n'; sleep 0.3; printf %s "$PLANTED_KEY" | cut -c12-
printf '%s' "the key is $PLANTED_KEY and will be for long, long enough to fill more than one line of base64" | base64
setsid sh -c "sleep 600; : $PLANTED_KEY" >/dev/null 2>&1 &
echo "working with $PLANTED_KEY"
# Long enough for a heartbeat with that activity.
if [ "$RALPH_ROUND" = 1 ]; then sleep 2.5; fi
`;
const report = (status: string, more: string): string => `
printf '{"status":"${status}","summary":"did it with %s","evidence":["%s"],${more},"blocker":""}' \
  "$PLANTED_KEY" "$(printf %s "$PLANTED_KEY" | base64)" > "$RALPH_REPORT_FILE"
`;
const CONTINUE = report('continue', '"nextSteps":["go on"]');
const COMPLETE = report('complete', '"nextSteps":[]');

let place: Scratch;
let repository: string;
const run = (id: string, command: string): Promise<Ended> =>
  ralph(
    [
      'run',
      OBJECTIVE,
      '--id',
      id,
      '--command',
      command,
      '--round-attempts',
      '2',
      '--setup',
      `echo ghp_${'a1B2'.repeat(9)}`,
    ],
    {
      home: place.home,
      cwd: repository,
    },
  );
const show = (...args: string[]): Promise<Ended> => ralph(['show', ...args], { home: place.home });

beforeAll(async () => {
  place = await scratch();
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  writeFileSync(path.join(place.home, 'env'), `PLANTED_KEY=${PLANTED}\nRALPH_AGENT_ENV=PLANTED_KEY\n`, { mode: 0o600 });
});
afterAll(() => place.remove());

/** The whole history and memo of a run, as they are exported. */
async function historyOf(id: string): Promise<Haystack> {
  const status: { temporal: { address: string; namespace: string } } = JSON.parse(
    (await ralph(['status', '--json'], { home: place.home })).stdout,
  );
  const connection = await Connection.connect({ address: status.temporal.address });
  try {
    const asked = { namespace: status.temporal.namespace, execution: { workflowId: id } };
    const { history } = await connection.workflowService.getWorkflowExecutionHistory(asked);
    const { workflowExecutionInfo } = await connection.workflowService.describeWorkflowExecution(asked);
    const exported: Haystack = {
      where: `Temporal's history of ${id}`,
      bytes: Buffer.from(JSON.stringify([history, workflowExecutionInfo])),
    };
    // Payloads are base64 in it: the search sees through that.
    expect(exported.bytes.includes(OBJECTIVE)).toBe(false);
    expect(findPlanted([exported], OBJECTIVE)).toEqual([exported.where]);
    return exported;
  } finally {
    await connection.close();
  }
}

/** Everything that is kept of a run, and of the machine's RALPH_HOME, but for the file that holds the keys. */
async function everything(id: string): Promise<Haystack[]> {
  return [
    await historyOf(id),
    ...filesBelow(place.home, /^(env$|tools\/)|repository\.git\/objects\/|\/tree\/large\//),
    ...objectsOf(path.join(place.home, 'runs', id, 'repository.git')),
    ...objectsOf(repository),
  ];
}

test('the search sees through two encodings, however much stands around them', () => {
  const payload = JSON.stringify({ said: 'w'.repeat(100_000), key: Buffer.from(`key=${PLANTED}`).toString('base64') });
  const history = Buffer.from(JSON.stringify([{ data: Buffer.from(payload).toString('base64') }]));
  expect(findPlanted([{ where: 'a history', bytes: history }], PLANTED)).toEqual(['a history']);
});

test('a key that an agent prints, reports, fails with and leaves in a process is found nowhere, decoded or not', async () => {
  const crashing = `echo "crash: $PLANTED_KEY" >&2; exit 3`;
  const command = `${LEAKING}
case $RALPH_ROUND in 1) ${CONTINUE} ;; *) if [ -e once ]; then ${COMPLETE} else touch once; ${crashing}; fi ;; esac`;
  const ended = await run('leaking', command);
  expect(ended).toMatchObject({ code: 0 });
  const all = await everything('leaking');
  expect(all.length).toBeGreaterThan(30);
  expect(findPlanted(all, PLANTED)).toEqual([]);
  expect(findPlanted([{ where: 'the terminal', bytes: Buffer.from(ended.stdout + ended.stderr) }], PLANTED)).toEqual(
    [],
  );

  // It was there to be taken out.
  const log = await ralph(['log', 'leaking'], { home: place.home });
  expect(log.stdout.match(/\[redacted: PLANTED_KEY\]/g)?.length).toBeGreaterThan(8);
  expect(log.stdout).toContain('[redacted: GitHub token]');
  const page = (await show('leaking', '--round', '1')).stdout;
  expect(page).toContain('did it with [redacted: PLANTED_KEY]');
  expect(page).toContain('The report held a secret, which was redacted.');
  expect((await show('leaking', '--round', '2')).stdout).toContain('crash: [redacted: PLANTED_KEY]');
  expect(git(repository, 'log', '--format=%B', 'ralph/leaking')).toContain('[redacted: PLANTED_KEY]');
});

test('a key that an agent names files, repositories and branches by is in no record', async () => {
  const command = `cat >/dev/null; git branch "$PLANTED_KEY" $(git commit-tree -m side HEAD^{tree}); git init -q "nested/$PLANTED_KEY"
mkdir -p "large/$(dirname "$PLANTED_KEY")"; truncate -s 1G "large/$PLANTED_KEY"; ${COMPLETE}`;
  expect(await run('naming', command)).toMatchObject({ code: 0 });
  const refs = git(path.join(place.home, 'runs', 'naming', 'repository.git'), 'for-each-ref', '--format=%(refname)');
  expect(refs).toContain('refs/ralph/naming/1.1/redacted/');
  expect(findPlanted([{ where: 'refs', bytes: Buffer.from(refs) }, ...(await everything('naming'))], PLANTED)).toEqual(
    [],
  );
  const page = (await show('naming', '--round', '1')).stdout;
  expect(page).toMatch(/Nested repositories, .*: nested\/\[redacted: PLANTED_KEY\]/);
  expect(page).toMatch(/Too large for a commit .*: large\/\[redacted: PLANTED_KEY\]/);
});

test('a key that an agent commits is found by the search, and flagged in the record, by show and at the end', async () => {
  const command = `cat >/dev/null; mkdir -p conf; printf %s "$PLANTED_KEY" | base64 > conf/key; git add .; git commit -qm "the key is $PLANTED_KEY"; ${COMPLETE}`;
  const ended = await run('committing', command);
  expect(ended).toMatchObject({ code: 0 });
  const found = findPlanted(await everything('committing'), PLANTED);
  expect(found.some((where) => where.includes(': blob '))).toBe(true);
  expect(found.some((where) => where.includes(': commit '))).toBe(true);
  expect(found.filter((where) => !/: (blob|commit) |\/tree\/conf\/key$|\/logs\/HEAD$/.test(where))).toEqual([]);

  expect(ended.stdout).toMatch(/The commits of round 1 hold a secret: PLANTED_KEY\. Do not push them/);
  expect((await show('committing')).stdout).toMatch(/^Secret +The commits of round 1 hold a secret: PLANTED_KEY\./m);
  const page = (await show('committing', '--round', '1')).stdout;
  expect(page).toMatch(/^Secret +PLANTED_KEY in conf\/key$/m);
  expect(page).toMatch(/^Secret +PLANTED_KEY in a commit message or the name of a file$/m);
  const { rounds } = JSON.parse((await show('committing', '--json')).stdout);
  expect(rounds).toMatchObject([{ secrets: ['PLANTED_KEY'] }]);
});

const built = (name: string): string => JSON.stringify(pathToFileURL(path.join(process.cwd(), 'dist', name)).href);

test('the worker’s log holds no secret, in messages, fields and errors', () => {
  const script = `
    const { Redactor } = await import(${built('redaction/redactor.js')});
    const { installLogger } = await import(${built('worker/logger.js')});
    const redactor = new Redactor();
    redactor.learn([{ name: 'PLANTED_KEY', value: process.env.PLANTED_KEY }]);
    const logger = installLogger(redactor);
    logger.info({ field: process.env.PLANTED_KEY }, 'message ' + process.env.PLANTED_KEY);
    logger.error(new Error('error ' + process.env.PLANTED_KEY), 'failed');
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], PLANTED_KEY: PLANTED },
  });
  expect(stdout.toString().match(/\[redacted: PLANTED_KEY\]/g)?.length).toBeGreaterThanOrEqual(4);
  expect(findPlanted([{ where: 'log', bytes: stdout }], PLANTED)).toEqual([]);
});
