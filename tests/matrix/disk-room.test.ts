import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { diskRoom } from '../../system/disk-room.ts';
import { here } from '../cli/support/here.ts';

const root = path.join(process.cwd(), '.cache', 'tests', `disk-room-${process.pid}`);
const mounted: string[] = [];

/** A small file system of its own. Mounting needs root: without it this fails rather than pass over the promise. */
function smallDisk(name: string, options: string): string {
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=0700`, 'tmpfs', folder]);
  mounted.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of mounted) execFileSync('umount', [folder]);
  rmSync(root, { recursive: true, force: true });
});

test('a disk with room has room, and nothing is left by the look', async () => {
  const folder = smallDisk('room', 'size=1m');
  expect(await diskRoom(folder)).toEqual({ kind: 'room' });
  expect(execFileSync('ls', ['-A', folder], { encoding: 'utf8' })).toBe('');
});

test('a full disk and one without inodes are named, each as what it is, by `status` and `doctor` too', async () => {
  const space = smallDisk('space', 'size=1m');
  const { bavail, bsize } = statfsSync(space);
  writeFileSync(path.join(space, 'ballast'), Buffer.alloc(bavail * bsize));
  expect(await diskRoom(space)).toEqual({ kind: 'full', folder: space, lacks: 'space' });

  const inodes = smallDisk('inodes', 'size=4m,nr_inodes=4');
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(inodes, name), '');
  expect(await diskRoom(inodes)).toEqual({ kind: 'full', folder: inodes, lacks: 'inodes' });

  for (const [home, words] of [
    [space, /is full: no space is left/],
    [inodes, /can hold no more files/],
  ] as const) {
    for (const command of ['status', 'doctor']) {
      const { code, stdout } = await here([command], { home });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(words) });
    }
  }
});
