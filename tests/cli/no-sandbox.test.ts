import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathWithout } from '../support/path-without.ts';
import { runFolder } from './support/recorded-run.ts';
import { makeRepository } from './support/repository.ts';
import { ralph, type Scratch, scratch } from './support/ralph.ts';

let place: Scratch;
let repository: string;
beforeAll(async () => {
  place = await scratch();
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'a\n' });
});
afterAll(() => place.remove(), 60_000);

const FORBIDDEN = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';

test.each<[string, RegExp, () => { env?: Record<string, string>; under?: readonly string[] }]>([
  [
    'bubblewrap is not installed',
    /^error: .*no bwrap on PATH.*apt install bubblewrap.*--sandbox full-access[^\n]*\n$/,
    () => ({ env: { PATH: pathWithout('bwrap', path.join(place.folder, 'programs')) } }),
  ],
  [
    'user namespaces are forbidden',
    /^error: .*user\.max_user_namespaces.*--sandbox full-access[^\n]*\n$/,
    () => ({ under: ['unshare', '--user', '--map-root-user', 'sh', '-c', FORBIDDEN, 'sh'] }),
  ],
])(
  'where %s a run is refused in one line with the cause and the way out, and nothing runs',
  async (_what, said, machine) => {
    const { home } = place;
    const canary = path.join(place.folder, 'canary');
    const args = ['run', 'Do it.', '--id', 'refused', '--command', `touch ${canary}`, '--setup', `touch ${canary}`];
    const { code, stdout, stderr } = await ralph(args, { home, cwd: repository, ...machine() });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
    expect([canary, runFolder(home, 'refused')].filter((file) => existsSync(file))).toEqual([]);
    const { stdout: status } = await ralph(['status', '--json'], { home });
    expect(JSON.parse(status)).toMatchObject({ worker: { kind: 'down' }, liveRuns: null });
  },
);
