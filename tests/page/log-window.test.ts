import { appendFileSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { logWindow } from '../../client/follow/log-window.ts';

const folder = mkdtempSync(path.join(process.cwd(), '.cache', 'tests', 'log-window-'));
const file = (text: string): string => {
  const name = path.join(folder, `${Math.random()}.log`);
  writeFileSync(name, text);
  return name;
};
const texts = ({ lines }: { lines: readonly { text: string }[] }): string[] => lines.map(({ text }) => text);

test('a large log is read from its end, and backwards from there without a gap', async () => {
  const many = 200_000;
  const log = file(Array.from({ length: many }, (_, i) => `line ${i}\n`).join(''));
  const last = await logWindow(log, { before: null });
  expect(texts(last)).toEqual(Array.from({ length: 500 }, (_, i) => `line ${many - 500 + i}`));
  const before = await logWindow(log, { before: last.from });
  expect(texts(before).at(-1)).toBe(`line ${many - 501}`);
  expect(before.to).toBe(last.from);
  const again = await logWindow(log, { from: before.from });
  expect(again.lines).toEqual(before.lines);
});

test('a line without its end comes again once it is whole', async () => {
  const log = file('one\ntw');
  const first = await logWindow(log, { from: 0 });
  expect(texts(first)).toEqual(['one', 'tw']);
  appendFileSync(log, 'o\nthree\n');
  expect(texts(await logWindow(log, { from: first.to }))).toEqual(['two', 'three']);
});

test('a line that is longer than a window is passed through in pieces, each of them cut', async () => {
  const log = file(`${'x'.repeat(3 * 1024 * 1024)}\nlast\n`);
  const seen: string[] = [];
  let at = 0;
  for (let i = 0; i < 10; i += 1) {
    const window = await logWindow(log, { from: at });
    seen.push(...texts(window));
    if (window.to >= window.size) break;
    expect(window.to).toBeGreaterThan(at);
    at = window.to;
  }
  expect(seen.at(-1)).toBe('last');
  expect((await logWindow(log, { before: null })).lines.at(-1)?.text).toBe('last');
});

test('what is no file of its own is empty: a link, a folder, nothing', async () => {
  const link = path.join(folder, 'link');
  symlinkSync('/etc/passwd', link);
  for (const name of [link, folder, path.join(folder, 'nothing')]) {
    expect(await logWindow(name, { before: null })).toEqual({ from: 0, to: 0, size: 0, lines: [] });
  }
});
