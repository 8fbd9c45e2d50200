import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homeWithRuns, queryFor, search, write } from './home-with-runs.ts';

describe('hostile text', () => {
  test('is made safe to print, around the match and in it', async () => {
    const { home, file } = await homeWithRuns();
    const text = 'a\u001b[31mred\u202e teal\u0007\u009b2J\u2066 done\nnext';
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `${JSON.stringify({ text })}\n`);
    const { hits } = await search(home, queryFor('teal\u0007'));
    expect(hits[0]).toMatchObject({ before: 'ared ', match: 'teal', after: ' done next' });
  });

  test('a line of a megabyte gives a short excerpt and its number', async () => {
    const { home, file } = await homeWithRuns();
    const long = `${'x'.repeat(500_000)} teal ${'y'.repeat(500_000)}`;
    const transcript = `{"text":"short"}\n${JSON.stringify({ text: long })}\n{"text":"teal"}\n`;
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), transcript);
    const { hits, end } = await search(home, queryFor('teal'));
    expect(hits.map(({ line }) => line)).toEqual([2, 3]);
    expect(hits[0]?.before).toMatch(/^…x{70,80} $/);
    expect(hits[0]?.after).toMatch(/^ y{150,160}…$/);
    expect(end).toMatchObject({ longLines: 0 });
  });

  const MOST = 4 * 1024 * 1024;

  test('a line that is too long to be decoded is searched in pieces, also where two of them meet, and counted', async () => {
    const { home, file } = await homeWithRuns();
    const long = `${'x'.repeat(MOST - 3)}teal${'y'.repeat(MOST)}`;
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `first\n${long}\nteal, the third\n`);
    const { hits, end } = await search(home, queryFor('teal'));
    expect(hits.map(({ line, offset }) => [line, offset])).toEqual([
      [2, 6],
      [3, 6 + long.length + 1],
    ]);
    expect(end).toMatchObject({ longLines: 1 });
  });

  test('a match in each piece of such a line is one hit, and the lines after it are their own', async () => {
    const { home, file } = await homeWithRuns();
    const long = `teal${'x'.repeat(MOST)}teal${'y'.repeat(MOST)}teal`;
    const after = `teal${'z'.repeat(MOST / 2)}\n`.repeat(4);
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `${long}\n${after}`);
    const { hits, end } = await search(home, queryFor('teal'));
    expect(hits.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(end).toMatchObject({ longLines: 1 });
  });

  test('bytes that are no UTF-8 stand beside the match as U+FFFD', async () => {
    const { home, file } = await homeWithRuns();
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x20]),
      Buffer.from('teal'),
      Buffer.from([0xc3, 0x28, 0x0a]),
    ]);
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), bytes);
    const { hits } = await search(home, queryFor('teal'));
    expect(hits[0]).toMatchObject({ before: '\ufffd\ufffd ', match: 'teal', after: '\ufffd(' });
  });

  test('a match that is long itself is cut', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `${'a'.repeat(5_000)}😀\n`);
    const { hits } = await search(home, queryFor('a+😀', { regex: true }));
    expect(hits[0]).toMatchObject({ before: '', match: 'a'.repeat(200), after: '…' });
  });
});

describe('what cannot be searched is named', () => {
  test('a damaged report that holds the text', async () => {
    const { home, file } = await homeWithRuns();
    const damaged = file('first', 'rounds', '2', 'attempt-1', 'outcome.json');
    writeFileSync(damaged, '{"kind":"reported","summary":"cobalt');
    const { hits, unread, end } = await search(home, queryFor('cobalt'));
    expect(hits.map(({ round }) => round)).toEqual([1]);
    expect(unread).toEqual([
      { kind: 'unread', runId: 'first', file: damaged, problem: 'it does not hold what it should' },
    ]);
    expect(end).toMatchObject({ unread: 1 });
  });

  test('a FIFO in place of a transcript, which holds nothing up', async () => {
    const { home, file } = await homeWithRuns();
    const fifo = file('first', 'rounds', '2', 'attempt-1', 'transcript.jsonl');
    rmSync(fifo);
    execFileSync('mkfifo', [fifo]);
    const { hits, unread } = await search(home, queryFor('cobalt'));
    expect(hits).toHaveLength(2);
    expect(unread).toMatchObject([{ file: fifo, problem: 'it is not a regular file' }]);
  });

  test('a round that cannot be listed, while the others are searched', async () => {
    const { home, file } = await homeWithRuns();
    rmSync(file('first', 'rounds', '2'), { recursive: true });
    symlinkSync('2', file('first', 'rounds', '2'));
    const { hits, unread } = await search(home, queryFor('cobalt'));
    expect(hits.map(({ round }) => round)).toEqual([1]);
    expect(unread).toMatchObject([{ file: file('first', 'rounds', '2') }]);
  });

  test('a run without its request, whose other files are searched', async () => {
    const { home, file } = await homeWithRuns();
    rmSync(file('first', 'request.json'));
    const { hits, unread } = await search(home, queryFor('cobalt'));
    expect(hits).toHaveLength(2);
    expect(unread).toMatchObject([{ file: file('first', 'request.json'), problem: 'it is missing' }]);
  });

  test('but not the empty folder of a start that failed, a stray file, or a run whose rounds are gone', async () => {
    const { home, file } = await homeWithRuns();
    mkdirSync(file('empty'));
    writeFileSync(file('stray'), 'cobalt');
    renameSync(file('first', 'rounds'), file('first', 'elsewhere'));
    const { hits, unread } = await search(home, queryFor('cobalt'));
    expect([hits, unread]).toEqual([[], []]);
  });
});
