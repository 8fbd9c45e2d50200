import { setTimeout as delay } from 'node:timers/promises';
import { ensureServer } from '../../host/server/embedded-server.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { serversOf } from '../fixtures/host/servers-of.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

test.each(Array.from({ length: 24 }, (_, n) => 50 + 40 * n))(
  'two commands killed %d ms after they began leave what the next one finishes: one server',
  async (ms) => {
    const home = await temporaryHome();
    const calls = [1, 2].map(() => inProcess('server/embedded-server', 'ensureServer', { ralphHome: home }));
    await delay(ms);
    for (const { child } of calls) child.kill('SIGKILL');
    const server = await ensureServer({ ralphHome: home, env: process.env, onNote: () => {} });
    expect(await serversOf(home)).toEqual([server.pid]);
    process.kill(server.pid, 'SIGKILL');
  },
);
