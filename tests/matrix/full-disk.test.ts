import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../system/error-code.ts';
import { homePaths } from '../../host/home-paths.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

/** A process counts as ended before the last of its threads has let go of its folder; if it is no such thing, who it is. */
const UNMOUNT =
  'for n in $(seq 50); do umount "$0" 2>/dev/null && exit; sleep 0.1; done; ls -l /proc/*/task/*/cwd | grep "$0"; exit 1';

/**
 * A RALPH_HOME of which a part is on a small file system, and a way to fill that to the last byte. Mounting needs root:
 * without it this fails rather than pass over the promise in silence.
 */
function smallDisk(name: string, part: string, megabytes: number) {
  const ralph = place(name);
  const folder = path.join(ralph.home, part);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  ralph.atEnd(() => execFileSync('sh', ['-c', UNMOUNT, folder]));
  ralph.configure();
  const ballast = path.join(folder, '.ballast');
  return {
    ralph,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // Somebody took a part of it meanwhile: it is full all the same.
        if (errorCode(error) !== 'ENOSPC') throw error;
      }
    },
    makeRoom: () => rmSync(ballast),
  };
}

const work = [
  { files: { 'one.txt': '1\n' }, report: goOn('first') },
  { files: { 'two.txt': '2\n' }, sleep: 120, report: goOn('second') },
  { report: done('third') },
];

const runs = smallDisk('full-disk', 'runs', 8);
const whole = smallDisk('full-home', '.', 24);
const reserved = smallDisk('full-cancel', '.', 96);

test('a disk that fills up in mid-round fails the round with that cause; earlier rounds stay readable; with room it goes on', async () => {
  const { ralph } = runs;
  const story = ralph.story(work);
  await story.detach();
  await story.started(2);
  runs.fill();
  story.agent.go();
  const shown = await waitFor('the cause', 60_000, async () => {
    const now = await story.show();
    return now.why !== null && now;
  });
  expect(shown).toMatchObject({ status: 'waiting', why: expect.stringMatching(/disk-full/) });
  expect((await ralph.ralph('show', story.id, '--round', '1')).stdout).toMatch(/first/);
  runs.makeRoom();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.repository.git('show', `ralph/${story.id}:two.txt`)).toBe('2');
  expect((await story.ledger()).at(-1)).toMatch(/complete/);
}, 200_000);

test("where Temporal's database is on the full disk too, earlier rounds stay readable, and with room the run goes on", async () => {
  const { ralph } = whole;
  const story = ralph.story(work);
  await story.detach();
  await story.started(2);
  whole.fill();
  story.agent.go();
  await waitFor('the end of the agent', 30_000, () => story.alive().length === 0);
  const { code, stdout } = await ralph.ralph('show', story.id);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/continue .*first/) });
  whole.makeRoom();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.repository.git('show', `ralph/${story.id}:two.txt`)).toBe('2');
  expect(story.agent.overlapped()).toBe(false);
}, 200_000);

test('a cancel gets through on a full disk, and its receipt and the work are kept', async () => {
  const { ralph } = reserved;
  const story = ralph.story([
    { files: { 'one.txt': '1\n' }, report: goOn('first') },
    { files: { 'two.txt': '2\n' }, sleep: 600 },
  ]);
  await story.detach();
  await story.started(2);
  await waitFor('the reserve', 20_000, () => existsSync(homePaths(ralph.home).reserve));
  reserved.fill();
  const { code, stderr } = await ralph.ralph('cancel', story.id);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Released the 16 MiB') });
  expect(await story.show()).toMatchObject({ status: 'cancelled', receipt: { cause: 'cancelled', left: [] } });
  expect(story.repository.git('show', `ralph/${story.id}:two.txt`)).toBe('2');
  expect(story.alive()).toEqual([]);
}, 200_000);
