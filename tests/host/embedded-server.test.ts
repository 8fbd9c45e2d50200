import { ensureServer, serverState, stopServer } from '../../host/embedded-server.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const quiet = (): void => {};

test('a server is started once, found again, and stopped', async () => {
  const home = await temporaryHome();
  const server = await ensureServer({ ralphHome: home, env: process.env, onNote: quiet });
  expect(await ensureServer({ ralphHome: home, env: process.env, onNote: quiet })).toEqual(server);
  expect(await stopServer(home)).toEqual({ kind: 'stopped', pid: server.pid, forced: false });
  expect(await serverState(home)).toEqual({ kind: 'down' });
});
