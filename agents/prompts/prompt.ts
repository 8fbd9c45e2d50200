import type { HandedOn } from '../../schemas/round/handed-on.ts';
import { handoffSection, notesSection } from './handoff-section.ts';

/** What one round's prompt is made of; nothing else crosses into a round. */
export interface PromptParts extends Readonly<HandedOn> {
  readonly objective: string;
  readonly round: number;
  readonly maxRounds: number;
  /** Why an earlier attempt's report at this very round was refused, null where none was. */
  readonly refusal: string | null;
  /** Shell commands that the engine checks a completion by. */
  readonly gates: readonly string[];
  /** Globs of paths that a completion may not have changed against the run's base. */
  readonly protect: readonly string[];
  /** How this agent hands in its report: `AgentProvider.handIn`. */
  readonly handIn: string;
  /** Most UTF-16 code units of the report's serialized JSON. */
  readonly maxHandoffChars: number;
}

/** The prompt of one round. Its length depends on the objective and the handoff alone, never on the rounds gone by. */
export function buildPrompt(parts: PromptParts): string {
  return [
    ROLE,
    // Verbatim, as the caller gave it: an objective may hold anything, also these tags.
    `# Objective\n\n<objective>\n${parts.objective}\n</objective>`,
    `# Where the loop stands\n\nThis is round ${parts.round} of at most ${parts.maxRounds}.`,
    WORKSPACE,
    ...notesSection(parts.userNotes),
    handoffSection(parts.handoff, parts.handoffSource),
    ...checksSection(parts),
    reportSection(parts),
    ...(parts.refusal === null ? [] : [refusalSection(parts.refusal)]),
  ].join('\n\n');
}

const ROLE = `# Who you are

You are one worker in a loop of workers. The loop was started with a single objective, and each round a new worker takes it a step further. You begin fresh: you have seen none of the earlier conversations, and the worker after you will see nothing of yours but the workspace and your report. Do this one round and end. Do not start a loop, a further round or another copy of this engine: that is the engine's work.`;

const WORKSPACE = `# The workspace

The current folder is a git repository that all rounds share. It is the loop's only long-term memory and the only source of truth:

1. Look first. Read the files, the git log and what the tests say before you decide what is left to do.
2. Keep what is there. Earlier rounds' work stays unless it is wrong, and then say so in your report.
3. Do concrete work towards the objective, within its scope, as much as you can do well in one round.
4. Verify it: run the checks that show that it holds, and note what they printed.

Whatever you leave in the workspace is committed when the round ends. You may make commits of your own. Leave no process running. No one can answer questions: decide yourself, or report that you are blocked.`;

/** Nothing in a run that checks nothing. */
function checksSection({ gates, protect }: PromptParts): string[] {
  if (gates.length === 0 && protect.length === 0) return [];
  const commands =
    gates.length === 0
      ? []
      : [
          `When a worker reports "complete", the engine checks out its commits anew and runs these commands on them, in order. Each must exit 0, or the report is refused and the loop goes on:\n\n${gates.map((gate) => `- ${code(gate)}`).join('\n')}`,
        ];
  const paths =
    protect.length === 0
      ? []
      : [
          `Files that match these patterns must then be as they were when the loop began: ${protect.map(code).join(', ')}.`,
        ];
  return [['# How completion is checked', ...commands, ...paths].join('\n\n')];
}

/** As it stands, in a fence that it cannot end. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

function reportSection({ maxHandoffChars, handIn }: PromptParts): string {
  return `# Your report

End the round with exactly one report: a JSON object with these five fields, all of them, and no others.

- "status": "continue", "complete" or "blocked".
- "summary": what this round did, as text.
- "evidence": a list of texts, each something that was seen (a check and its outcome, a commit, a file).
- "nextSteps": a list of texts for the next worker.
- "blocker": a text, "" unless blocked.

Every text but "blocker" says something: none is empty. Choose the status by what is true in the workspace:

- "continue": work is left. At least one next step; "blocker" is "".
- "complete": the whole objective is reached and you saw it hold. At least one piece of evidence, "nextSteps" is [], "blocker" is "".
- "blocked": nothing more can be done before a person or the outside world changes something. "blocker" says what exactly.

The report's JSON holds at most ${maxHandoffChars} characters; a longer one is refused, not cut. It replaces the handoff above: carry over what the next worker still needs from it.

${handIn}`;
}

function refusalSection(refusal: string): string {
  return `# A report of this round was refused

Another worker has already tried this round; its work is in the workspace, but its report was refused: ${refusal}. Hand in a report that keeps the rules above.`;
}
