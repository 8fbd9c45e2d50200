import type { Received } from '../../schemas/round/received.ts';
import { durationText } from '../../schemas/text/duration.ts';
import { handoffSection, notesSection } from './handoff-section.ts';

/** What one round's prompt is made of; nothing else crosses into a round. */
export interface PromptParts extends Readonly<Received> {
  readonly objective: string;
  readonly round: number;
  readonly maxRounds: number;
  /** The engine ends an attempt that takes longer. */
  readonly roundTimeoutMs: number;
  /** Why the report of an earlier attempt at this round was rejected; null: none was. */
  readonly whyRejected: string | null;
  /** Shell commands that the engine checks a completion by. */
  readonly gates: readonly string[];
  /** Globs of paths that a completion may not have changed against the run's base. */
  readonly protect: readonly string[];
  /** How this agent submits its report: `AgentProvider.howToSubmit`. */
  readonly howToSubmit: string;
  /** Most UTF-16 code units of the report's serialized JSON. */
  readonly maxHandoffChars: number;
}

/** The prompt of one round. Its length depends on the objective and the handoff alone, never on the rounds gone by. */
export function buildPrompt(parts: PromptParts): string {
  return [
    ROLE,
    // Verbatim, as the caller gave it: an objective may hold anything, also these tags.
    `# Objective\n\n<objective>\n${parts.objective}\n</objective>`,
    roundSection(parts),
    WORKSPACE,
    ...notesSection(parts.userNotes),
    handoffSection(parts.handoff, parts.handoffSource),
    ...checksSection(parts),
    reportSection(parts),
    ...(parts.whyRejected === null ? [] : [rejectionSection(parts.whyRejected)]),
  ].join('\n\n');
}

const ROLE = `# Who you are

You are one agent in a loop. The loop has a single objective, and in each round a new agent works towards it. You start fresh: you have not seen any earlier conversation, and the next agent will see only the workspace and your report. Do this one round, then stop. Do not start a loop, another round or another copy of this engine. The engine does that.`;

const roundSection = ({ round, maxRounds, roundTimeoutMs }: PromptParts): string =>
  `# This round

This is round ${round} of at most ${maxRounds}. It may take at most ${durationText(roundTimeoutMs)}. After that the engine ends it, with or without a report. Plan your work so that you can report in time.`;

const WORKSPACE = `# The workspace

The current folder is a git repository that all rounds share. It is the loop's only long-term memory and its only source of truth.

1. Look first. Read the files and the git log, and run the tests, before you decide what is left to do.
2. Keep the work of earlier rounds unless it is wrong. If you undo some of it, say so in your report.
3. Do concrete work towards the objective and within its scope: as much as you can do well in one round.
4. Verify your work. Run the checks that show that it is correct, and note what they printed.

When the round ends, the engine commits everything that is in the workspace. You may also make commits yourself. Leave no process running. Nobody can answer questions: decide yourself, or report that you are blocked.`;

/** Empty for a run without checks. */
function checksSection({ gates, protect }: PromptParts): string[] {
  if (gates.length === 0 && protect.length === 0) return [];
  const commands =
    gates.length === 0
      ? []
      : [
          `If you report "complete", the engine makes a clean checkout of the work and runs these commands in it, in order. Each must exit 0. Otherwise the engine rejects the report and the loop continues:\n\n${gates.map((gate) => `- ${code(gate)}`).join('\n')}`,
        ];
  const paths =
    protect.length === 0
      ? []
      : [`Files that match these patterns must be the same as when the loop began: ${protect.map(code).join(', ')}.`];
  return [['# How completion is checked', ...commands, ...paths].join('\n\n')];
}

/** As it stands, in a fence that it cannot end. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

function reportSection({ maxHandoffChars, howToSubmit }: PromptParts): string {
  return `# Your report

End the round with exactly one report: a JSON object with all of these five fields and no others.

- "status": "continue", "complete" or "blocked".
- "summary": a string that says what this round did.
- "evidence": a list of strings. Each names something that you saw: a check and its result, a commit, a file.
- "nextSteps": a list of strings for the next agent.
- "blocker": a string. It is "" unless the status is "blocked".

No string except "blocker" may be empty. Choose the status by what is true in the workspace:

- "continue": work is left. Give at least one next step. "blocker" is "".
- "complete": the whole objective is reached, and you saw that it is. Give at least one piece of evidence. "nextSteps" is [] and "blocker" is "".
- "blocked": nothing more can be done until a person or something outside changes. "blocker" says exactly what has to change.

The report's JSON may have at most ${maxHandoffChars} characters. A longer one is rejected, not cut. It replaces the handoff above, so carry over what the next agent still needs from it.

${howToSubmit}`;
}

function rejectionSection(whyRejected: string): string {
  return `# A report of this round was rejected

Another agent has already worked on this round. Its work is in the workspace, but its report was rejected: ${whyRejected}. Submit a report that follows the rules above.`;
}
