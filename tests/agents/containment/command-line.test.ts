import { commandLine } from '../../../agents/containment/dispose/describe-process.ts';

test('a command is shown in one bounded, printable line', () => {
  expect(commandLine('sleep', ['sleep', '60'])).toBe('sleep 60');
  expect(commandLine('kthread', [])).toBe('[kthread]');
  expect(commandLine('sh', ['sh', '-c', 'a\u001b[31m\nb'])).toBe('sh -c a?[31m?b');
  expect(
    commandLine(
      'sh',
      Array.from({ length: 100 }, () => 'word'),
    ).length,
  ).toBeLessThanOrEqual(121);
});

test('what may be a secret in an argument is masked', () => {
  const key = 'sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA';
  expect(commandLine('curl', ['curl', '-H', `Authorization: Bearer ${key}`])).not.toContain(key);
  expect(commandLine('tool', ['tool', `--token=${key}`])).toBe('tool --token=***');
  expect(commandLine('tool', ['tool', '--token', key])).toBe('tool --token ***');
  expect(commandLine('node', ['node', '/usr/lib/node_modules/a-package/dist/main.js'])).toBe(
    'node /usr/lib/node_modules/a-package/dist/main.js',
  );
});

test('a short secret after a telling option is masked too', () => {
  expect(commandLine('tool', ['tool', '--password', 'hunter2', '-v'])).toBe('tool --password *** -v');
  expect(commandLine('curl', ['curl', 'https://user:hunter2@example.com/x'])).not.toContain('hunter2');
});
