import { openDeployment } from '../../client/connect/deployment.ts';
import { connectEmbedded, whileItLives } from '../../client/connect/connect-embedded.ts';
import { ensureServices } from '../../client/connect/ensure-services.ts';
import { whenReached } from '../../client/connect/reach.ts';
import { ensureServer, serverState } from '../../host/server/embedded-server.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const silent = () => ralphError('temporal-unreachable', { address: 'a:1', reason: 'no answer' });

async function place() {
  const home = await temporaryHome();
  const deployment = await openDeployment({ ...process.env, RALPH_HOME: home });
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const server = await ensureServer({ ralphHome: home, env: process.env, onNote });
  notes.length = 0;
  return { home, deployment, server, notes, onNote };
}

test('a server that lives and does not answer is waited for, and asked again', async () => {
  const { deployment, server, onNote } = await place();
  let asked = 0;
  const answer = await whileItLives(deployment, { server, onNote }, async () => {
    asked += 1;
    if (asked < 3) throw silent();
    return 'yes';
  });
  expect({ answer, asked }).toEqual({ answer: 'yes', asked: 3 });
});

test('what is no silence is not asked again', async () => {
  const { deployment, server, onNote } = await place();
  const asking = whileItLives(deployment, { server, onNote }, () => Promise.reject(new Error('no such run')));
  await expect(asking).rejects.toThrow('no such run');
});

test('a server that died is not waited for; a command starts it again, and connects', async () => {
  const { home, deployment, server, onNote } = await place();
  process.kill(server.pid, 'SIGKILL');
  await eventually(async () => (await serverState(home)).kind === 'down');
  expect(await connectEmbedded(deployment, { server, onNote })).toBeNull();
  // A command that has its answer needs no worker here: what it asked comes before that.
  const enough = new Error('asked');
  const first = (): Promise<never> => Promise.reject(enough);
  await expect(ensureServices(deployment, { worker: 'where-embedded', first, onNote })).rejects.toBe(enough);
  expect(await serverState(home)).toMatchObject({ kind: 'ready' });
});

test('one that got SIGSTOP is named as such, to who acts and to who reads', async () => {
  const { deployment, server, onNote } = await place();
  process.kill(server.pid, 'SIGSTOP');
  cleanUp(async () => void process.kill(server.pid, 'SIGKILL'));
  await expect(connectEmbedded(deployment, { server, onNote })).rejects.toMatchObject({ code: 'server-stopped' });
  const { offline } = await whenReached(deployment, () => Promise.resolve(1));
  expect(offline).toMatchObject({
    code: 'server-stopped',
    message: expect.stringContaining(`kill -CONT ${server.pid}`),
  });
});
