import { Command } from 'commander';
import { numberFromZero } from '../arguments/numbers.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { CommandContext } from '../context.ts';
import { jsonLine } from '../terminal/json.ts';
import { printable, printableLine } from '../../system/printable.ts';
import type { TranscriptLine } from '../../client/follow/transcript.ts';

interface LogFlags {
  readonly round?: number;
  readonly gates?: boolean;
  readonly review?: boolean;
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly json?: boolean;
}

export function logCommand({ terminal, env }: CommandContext): Command {
  return new Command('log')
    .description("print the output of a run's setup, agents, gates and reviewers")
    .argument('<run>', 'id of the run')
    .option('--round <n>', 'only this round; 0: the setup, and the checks before round 1', numberFromZero)
    .option('--gates', 'only the output of gates and their setup, including before round 1')
    .option('--review', 'only the output of reviewers')
    .option('-f, --follow', 'keep printing until the run ends')
    .option('--raw', "an agent's raw event stream, instead of its text")
    .option('--json', 'print a JSON object per line')
    .action(async (runId: string, flags: LogFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { transcript } = await import('../../client/follow/transcript.ts');
      const deployment = await openDeployment(env);
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const lines = transcript({
        deployment,
        runId,
        round: flags.round === undefined ? null : flags.round,
        part: partOf(flags),
        follow: flags.follow === true,
        signal: stop.signal,
      });
      const { paint } = terminal;
      let before = '';
      let passedOver = 0;
      for await (const line of lines) {
        if (flags.json === true) {
          terminal.out(jsonLine(line));
          continue;
        }
        const text = flags.raw === true ? line.text : line.activity;
        if (text === null) {
          passedOver += 1;
          continue;
        }
        const head = `── ${outputName(line)}, ${line.stream} ──`;
        if (head !== before) terminal.out(paint.faint(head));
        before = head;
        terminal.out(printable(text));
      }
      if (before !== '' || flags.json === true || stop.signal.aborted) return;
      if (passedOver > 0) {
        terminal.note('Only events were printed. --raw shows them.');
        return;
      }
      const { showRun } = await import('../../client/view/show-run.ts');
      const { checks } = await showRun(deployment, runId);
      const isLeftOut = flags.round === undefined && partOf(flags) === null && checks.some(({ round }) => round === 0);
      terminal.note(
        `Nothing was printed${isLeftOut ? ', except perhaps by the gates before round 1: --gates shows that' : ''}.`,
      );
    });
}

function partOf({ gates, review }: LogFlags): 'gates' | 'review' | null {
  if (gates === true && review === true) throw ralphError('options-contradict', { options: ['--gates', '--review'] });
  if (gates === true) return 'gates';
  return review === true ? 'review' : null;
}

/** Whose output it is: "setup", "round 2, attempt 1", "round 2, gates: npm test", "round 2, review". */
function outputName({ what, round, attempt, command }: Omit<TranscriptLine, 'stream' | 'text' | 'activity'>): string {
  const where = round === 0 ? 'before round 1' : `round ${round}`;
  const again = attempt === 1 ? '' : ` (${attempt})`;
  switch (what) {
    case 'setup':
      return 'setup';
    case 'agent':
      return `${where}, attempt ${attempt}`;
    case 'gates':
      return `${where}, gates${again}: ${command === null ? 'unknown' : printableLine(command)}`;
    case 'review':
      return `${where}, review${again}`;
    default:
      return what satisfies never;
  }
}
