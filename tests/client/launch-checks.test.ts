import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rejectUnenforceable } from '../../client/start/launch-checks.ts';
import { ensureWorker } from '../../host/worker-process/worker-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const entry = fileURLToPath(new URL('../fixtures/host/worker.mjs', import.meta.url));
const temporal = { source: 'embedded', address: 'a:1', namespace: 'default' } as const;
const sandbox = { level: 'workspace-write', network: true, readable: [] } as const;

/** A home with a live worker that found this when it started. */
async function homeOfWorker(cause: string | null, searchPath: string): Promise<string> {
  const home = await temporaryHome();
  await writeFile(
    `${home}/env`,
    `SANDBOXES='${JSON.stringify([{ level: 'workspace-write', network: true, cause }])}'\nSEARCH_PATH=${searchPath}\n`,
    {
      mode: 0o600,
    },
  );
  await ensureWorker({ ralphHome: home, env: { PATH: process.env['PATH'] }, entry, temporal, onNote: () => {} });
  return home;
}

test('a sandbox that the live worker cannot enforce is refused before a run starts, also where this shell could', async () => {
  const home = await homeOfWorker('there is no bwrap on PATH.', '/nonexistent');
  await expect(rejectUnenforceable({ ralphHome: home }, { ...sandbox, readable: [] })).rejects.toMatchObject({
    code: 'sandbox-not-of-worker',
    exit: 2,
    message: expect.stringMatching(/not by the live worker.*ralph down, ralph up.*there is no bwrap on PATH/),
  });
});

test('what the live worker can enforce is not tried from this shell', async () => {
  const home = await homeOfWorker(null, '/usr/bin');
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  try {
    await expect(rejectUnenforceable({ ralphHome: home }, { ...sandbox, readable: [] })).resolves.toBeUndefined();
  } finally {
    process.env['PATH'] = PATH;
  }
});

test('what the live worker could not enforce when it started, and can find by now, is left to it', async () => {
  const home = await homeOfWorker('there is no bwrap on PATH.', '/usr/bin');
  await expect(rejectUnenforceable({ ralphHome: home }, { ...sandbox, readable: [] })).resolves.toBeUndefined();
});
