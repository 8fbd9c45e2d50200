import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

// A file system of its own needs root. Without it this fails rather than pass over the promise in silence.
const parent = path.join(process.cwd(), '.cache', 'tests');
mkdirSync(parent, { recursive: true });
const mounted = mkdtempSync(path.join(parent, 'small-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', mounted]);
const ralph = place('full-disk', { at: path.join(mounted, 'home') });
// After the place's own: what runs there is ended by then.
afterAll(() => {
  execFileSync('umount', [mounted]);
  rmSync(mounted, { recursive: true });
}, 30_000);

test('a disk that fills up in mid-round fails the round with that cause; earlier rounds stay readable; with room it goes on', async () => {
  const story = ralph.story([
    { files: { 'one.txt': '1\n' }, report: goOn('first') },
    { files: { 'two.txt': '2\n' }, sleep: 120, report: goOn('second') },
    { report: done('third') },
  ]);
  await story.detach();
  await story.started(2);
  const ballast = path.join(mounted, 'ballast');
  const { bavail, bsize } = statfsSync(mounted);
  // What is left would hold a few more pages of Temporal's database, and no round.
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize)));
  story.agent.go();
  await waitFor('the cause in `show`', 60_000, async () =>
    /disk.full|disk is full/.test(JSON.stringify(await story.show())),
  );
  expect((await ralph.ralph('show', story.id, '--round', '1')).stdout).toMatch(/first/);
  rmSync(ballast);
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.repository.git('show', `ralph/${story.id}:two.txt`)).toBe('2');
  expect((await story.ledger()).at(-1)).toMatch(/complete/);
}, 240_000);
