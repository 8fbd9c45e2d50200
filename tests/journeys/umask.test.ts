import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const there = place('umask');

/** Below folders of 0700: what git and the round's own programs write. */
const INSIDE = ['tree', 'repository.git', 'home', 'cache', 'inbox'];

test('a round finds and makes files with the modes that the user would get, and what the engine keeps is private', async () => {
  const look = 'umask > mask; stat -c %a a.txt > checked-out; : > made; stat -c %a made > mode; ';
  const story = there.story([{ report: done('did it') }], (agent) => look + agent);
  expect(await there.ralph(...story.args)).toMatchObject({ code: 0 });

  const said = (file: string): string => story.repository.git('show', `ralph/${story.id}:${file}`).trim();
  const usual = (0o666 & ~process.umask()).toString(8);
  expect(Number.parseInt(said('mask'), 8)).toBe(process.umask());
  expect([said('checked-out'), said('mode')]).toEqual([usual, usual]);

  expect(looserThan(0o700, there.home, [...INSIDE, 'tools', 'config.json'])).toEqual([]);
});

/** Files and folders that others than their owner may use, but for folders of these names. */
function looserThan(mode: number, folder: string, but: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (but.includes(entry.name)) return [];
    const own = (statSync(file).mode & 0o777 & ~mode) === 0 ? [] : [file];
    return entry.isDirectory() ? [...own, ...looserThan(mode, file, but)] : own;
  });
}
