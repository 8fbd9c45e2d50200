import { once } from 'node:events';
import { createServer } from 'node:net';
import { choosePorts, listensOn } from '../../host/server/ports.ts';

test('who listens on a port is told from whoever else runs', async () => {
  const { port } = await choosePorts({ ralphHome: '/here', before: null });
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await listensOn({ pid: process.pid, port })).toBe(true);
  expect(await listensOn({ pid: process.ppid, port })).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await listensOn({ pid: process.pid, port })).toBe(false);
  expect(await listensOn({ pid: 2 ** 30, port })).toBe(false);
});

test('the ports used before are kept while they are free; two homes begin at different places', async () => {
  const before = { port: 19_001, uiPort: 19_002 };
  expect(await choosePorts({ ralphHome: '/a', before })).toEqual(before);
  const [a, b] = [
    await choosePorts({ ralphHome: '/a', before: null }),
    await choosePorts({ ralphHome: '/b', before: null }),
  ];
  expect(a.port).not.toBe(b.port);
});
