import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('hold-lock');

test('a service has none of the descriptors that were open where it was started', () => {
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'not for agents');
  const [lock, holder] = [path.join(folder, 'lock'), path.join(folder, 'holder')];
  const service = `perl host/locks/hold-lock.pl ${lock} ${holder} proc boot {} ls -l /proc/self/fd`;
  const listed = execFileSync('bash', ['-c', `exec 7<>${secret} 200<${secret}; ${service}`], { encoding: 'utf8' });
  expect(listed).toContain(lock);
  expect(listed).not.toContain(secret);
});
