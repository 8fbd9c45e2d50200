import { appendFileSync, readdirSync } from 'node:fs';
import { searchRuns } from '../../../client/search/search-runs.ts';
import { DEFAULT_SEARCH_LIMITS } from '../../../client/search/search-query.ts';
import { recordRun } from '../../cli/support/recorded-run.ts';
import { waitFor } from '../../support/wait-for.ts';
import { emptyHome, homeWithRuns, queryFor, search, write, writtenAt } from './home-with-runs.ts';

const where = ({ hits }: Awaited<ReturnType<typeof search>>) =>
  hits.map(({ runId, where: kind, part, round, attempt, line, field }) =>
    [runId, kind, part, round, attempt, line ?? field].join(' '),
  );

describe('every kind of text is found, and the place is said', () => {
  test('objectives by their lines', async () => {
    const { home } = await homeWithRuns();
    const found = await search(home, queryFor('amber'));
    expect(where(found)).toEqual(['first objective    2']);
    expect(found.hits[0]).toMatchObject({ before: 'to the ', match: 'amber', after: ' store' });
    expect(found.end).toMatchObject({ hits: 1, runs: 1, unread: 0, stopped: null, cut: [] });
  });

  test('reports by their fields, the latest round first', async () => {
    const { home } = await homeWithRuns();
    expect(where(await search(home, queryFor('cobalt')))).toEqual([
      'first report agent 2 1 summary',
      'first report agent 1 1 summary',
    ]);
  });

  test('prompts, transcripts, stderr, the setup, gates and reviews', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'prompt.md'), 'a\nb\nsee teal\n');
    write(file('first', 'rounds', '1', 'attempt-1', 'stderr.log'), 'teal');
    write(file('first', 'rounds', '0', 'attempt-1', 'transcript.jsonl'), 'teal\n');
    write(file('first', 'rounds', '2', 'gates-3', 'step-1', 'transcript.jsonl'), 'ok\nteal\n');
    write(file('first', 'rounds', '2', 'review-1', 'transcript.jsonl'), '{"text":"teal"}\n');
    const found = await search(home, queryFor('teal'));
    expect(where(found)).toEqual([
      'first transcript review 2 1 1',
      'first gate gates 2 3 2',
      'first prompt agent 1 1 3',
      'first transcript agent 1 1 1',
      'first transcript setup 0 1 1',
    ]);
    expect(found.hits.map(({ stream, command }) => [stream, command])).toEqual([
      ['stdout', null],
      ['stdout', 1],
      [null, null],
      ['stderr', null],
      ['stdout', null],
    ]);
    expect(found.hits[1]).toMatchObject({ offset: 3 });
  });

  test('only the kinds that are asked for are read', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'prompt.md'), 'cobalt');
    const { hits, end } = await search(home, queryFor('cobalt', { kinds: ['prompt'] }));
    expect(hits.map((hit) => hit.where)).toEqual(['prompt']);
    expect(end).toMatchObject({ files: 1 });
  });
});

/** How many threads this process has. */
const threads = (): number => readdirSync('/proc/self/task').length;

const record = (home: string, runId: string) =>
  recordRun({ home, runId, rounds: 1, objective: 'Paint', summary: 'ochre', transcript: '', ended: true });

describe('which runs', () => {
  test('the latest run comes first', async () => {
    const home = emptyHome();
    for (const id of ['a', 'b', 'c']) await record(home, id);
    for (const [id, day] of [
      ['a', 2],
      ['b', 3],
      ['c', 1],
    ] as const) {
      writtenAt(`${home}/runs/${id}/request.json`, new Date(2026, 0, day));
    }
    const { hits } = await search(home, queryFor('ochre'));
    expect(hits.map(({ runId }) => runId)).toEqual(['b', 'a', 'c']);
    const one = await search(home, queryFor('ochre', { runId: 'a' }));
    expect(one.hits.map(({ runId }) => runId)).toEqual(['a']);
  });

  test('what was written before a time is passed over', async () => {
    const { home, file } = await homeWithRuns();
    writtenAt(file('first', 'rounds', '1', 'attempt-1', 'outcome.json'), new Date(2026, 0, 1));
    const { hits } = await search(home, queryFor('cobalt', { sinceMs: Date.UTC(2026, 1, 1) }));
    expect(hits.map(({ round }) => round)).toEqual([2]);
  });

  test('an unknown run is refused with those that are meant, whatever its id holds', async () => {
    const { home } = await homeWithRuns();
    await expect(search(home, queryFor('x', { runId: 'firs' }))).rejects.toMatchObject({ code: 'no-such-run' });
    await expect(search(home, queryFor('x', { runId: '../runs/first' }))).rejects.toMatchObject({
      code: 'no-such-run',
    });
  });

  test('no runs at all are no hits', async () => {
    const { hits, unread, end } = await search(emptyHome(), queryFor('x'));
    expect([hits, unread]).toEqual([[], []]);
    expect(end).toMatchObject({ hits: 0, runs: 0, files: 0, stopped: null });
  });
});

describe('bounds', () => {
  test('no more hits of one run than asked for, and the run is named', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), 'teal\n'.repeat(50));
    const limits = { ...DEFAULT_SEARCH_LIMITS, hitsPerRun: 3 };
    const { hits, end } = await search(home, queryFor('teal', { limits }));
    expect(hits.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(end).toMatchObject({ hits: 3, cut: ['first'], stopped: null });
    const exact = await search(home, queryFor('teal', { limits: { ...limits, hitsPerRun: 50 } }));
    expect(exact.end).toMatchObject({ hits: 50, cut: [] });
  });

  test('no more hits in all than asked for, and that it stopped there is said', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), 'teal\n'.repeat(50));
    const limits = { ...DEFAULT_SEARCH_LIMITS, hits: 4 };
    const { hits, end } = await search(home, queryFor('teal', { limits }));
    expect(hits).toHaveLength(4);
    expect(end).toMatchObject({ hits: 4, stopped: { by: 'hits' } });
  });

  test('a regular expression that never ends is ended with its thread, and the file is named', async () => {
    const { home, file } = await homeWithRuns();
    const hostile = file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl');
    write(hostile, `teal\n${'a'.repeat(60)}!\n`);
    const limits = { ...DEFAULT_SEARCH_LIMITS, timeMs: 2_000 };
    const query = queryFor('teal|^(a+)+$', { regex: true, limits });
    const { hits, end } = await search(home, query);
    expect(hits.map(({ match }) => match)).toEqual(['teal']);
    expect(end).toMatchObject({ hits: 1, stopped: { by: 'time', reading: hostile } });
  });

  test('an abort ends it at once, without an end', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `${'a'.repeat(60)}!\n`);
    const stop = new AbortController();
    const searching = search(home, queryFor('^(a+)+$', { regex: true }), stop.signal);
    stop.abort();
    expect(await searching).toEqual({ hits: [], unread: [], end: null });
  });

  test('a reader that has seen enough ends its thread', async () => {
    const { home, file } = await homeWithRuns();
    write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), `teal\n${'a'.repeat(60)}!\n`);
    await search(home, queryFor('teal'));
    const before = threads();
    const query = queryFor('teal|^(a+)+$', { regex: true });
    for (let reader = 1; reader <= 3; reader += 1) {
      for await (const event of searchRuns(home, query, new AbortController().signal)) {
        expect(event.kind).toBe('hit');
        break;
      }
    }
    await waitFor('the end of the threads', 10_000, () => threads() <= before);
  });

  test.each(['(', '[b-a]', String.raw`\p{No such}`])('%s is refused before anything is searched', async (text) => {
    const query = queryFor(text, { regex: true });
    await expect(search(emptyHome(), query)).rejects.toMatchObject({ code: 'search-pattern-invalid' });
  });

  test('an empty text is refused', async () => {
    await expect(search(emptyHome(), queryFor(''))).rejects.toMatchObject({ code: 'search-text-empty' });
  });
});

test('a transcript that is written meanwhile is read as far as it was, its torn last line too', async () => {
  const { home, file } = await homeWithRuns();
  const growing = file('first', 'rounds', '2', 'attempt-1', 'transcript.jsonl');
  write(growing, '{"text":"teal"}\n{"text":"half te');
  const before = await search(home, queryFor('te'));
  appendFileSync(growing, 'al"}\n');
  const after = await search(home, queryFor('teal'));
  expect(before.hits.filter((hit) => hit.where === 'transcript').map(({ line }) => line)).toEqual([1, 2]);
  expect(after.hits.map(({ line }) => line)).toEqual([1, 2]);
});

test('searches beside each other do not disturb each other', async () => {
  const { home, file } = await homeWithRuns();
  write(file('first', 'rounds', '1', 'attempt-1', 'transcript.jsonl'), 'teal\n'.repeat(5));
  const all = await Promise.all(['teal', 'cobalt', 'amber'].map((text) => search(home, queryFor(text))));
  expect(all.map(({ hits }) => hits.length)).toEqual([5, 2, 1]);
});
