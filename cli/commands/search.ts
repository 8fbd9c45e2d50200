import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_SEARCH_LIMITS, SEARCH_KINDS, type SearchKind } from '../../client/search/search-query.ts';
import { milliseconds, wholeNumber } from '../arguments/numbers.ts';
import { sinceMs } from '../arguments/since.ts';
import type { CommandContext } from '../context.ts';
import { INTERNAL, NOTHING_FOUND, OK } from '../exit-codes.ts';
import { hitPrinter, searchNotes, unreadText } from '../pages/search-hits.ts';
import { jsonLine } from '../terminal/json.ts';

interface SearchFlags {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly run?: string;
  readonly kind?: readonly SearchKind[];
  readonly since?: string;
  readonly limit?: number;
  readonly timeout: number;
  readonly json?: boolean;
}

export function searchCommand({ terminal, env, now, exitWith }: CommandContext): Command {
  return new Command('search')
    .description('search the objectives, prompts, reports, transcripts and gates of all runs, the latest first')
    .argument('<text>', 'what to search for, as it is')
    .option('--regex', "the text is a regular expression of JavaScript's")
    .option('-i, --ignore-case', 'ignore upper and lower case')
    .option('--run <run>', 'only this run')
    .option('--kind <kind>', `only ${SEARCH_KINDS.join(', ')}; can be repeated`, searchKinds)
    .option('--since <when>', 'only what was written since then: 90m or 7d ago, or a date such as 2026-11-30')
    .option(
      '-n, --limit <n>',
      `most hits to print (default: ${DEFAULT_SEARCH_LIMITS.hits}, and ${DEFAULT_SEARCH_LIMITS.hitsPerRun} of one run)`,
      wholeNumber,
    )
    .option('--timeout <duration>', 'end the search after this time', milliseconds, DEFAULT_SEARCH_LIMITS.timeMs)
    .option('--json', 'print a JSON object per line')
    .action(async (text: string, flags: SearchFlags) => {
      const { resolveRalphHome } = await import('../../host/ralph-home.ts');
      const { searchRuns } = await import('../../client/search/search-runs.ts');
      const { limit, run, json } = flags;
      const hits = limit ?? DEFAULT_SEARCH_LIMITS.hits;
      const query = {
        text,
        regex: flags.regex === true,
        ignoreCase: flags.ignoreCase === true,
        runId: run ?? null,
        kinds: flags.kind ?? SEARCH_KINDS,
        sinceMs: sinceMs(flags.since, now()),
        limits: {
          hits,
          hitsPerRun: limit === undefined && run === undefined ? DEFAULT_SEARCH_LIMITS.hitsPerRun : hits,
          timeMs: flags.timeout,
        },
      };
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const print = hitPrinter(terminal);
      // Unless it comes to its end.
      exitWith(INTERNAL);
      for await (const event of searchRuns(await resolveRalphHome(env), query, stop.signal)) {
        if (json === true) terminal.out(jsonLine(event));
        switch (event.kind) {
          case 'hit':
            if (json !== true) print(event);
            break;
          case 'unread':
            terminal.note(unreadText(event));
            break;
          case 'end': {
            for (const note of searchNotes(event, query)) terminal.note(note);
            const isWhole = event.stopped === null && event.unread === 0;
            exitWith(event.hits > 0 ? OK : isWhole ? NOTHING_FOUND : INTERNAL);
            break;
          }
          default:
            event satisfies never;
        }
      }
    });
}

function searchKinds(text: string, before: readonly SearchKind[] | undefined): SearchKind[] {
  const kind = SEARCH_KINDS.find((each) => each === text);
  if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${SEARCH_KINDS.join(', ')}.`);
  return [...(before ?? []), kind];
}
