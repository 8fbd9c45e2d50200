import path from 'node:path';
import { plainCommands } from './plain-commands.ts';

/** How a known program is told to go on with an earlier conversation: its flags and sub-commands, word for word. */
const RESUMING: Readonly<Record<string, readonly string[]>> = {
  // Claude's -c continues a conversation; Codex's -c is a setting.
  claude: ['-c', '-pc', '-cp', '--continue', '-r', '-pr', '--resume', '--from-pr', '--fork-session', '--teleport'],
  codex: ['resume', 'fork'],
  gemini: ['-r', '--resume', '--session-file'],
  opencode: ['-c', '--continue', '-s', '--session', '--fork'],
};

/** What npx and its like call these programs. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@anthropic-ai/claude-code': 'claude',
  '@openai/codex': 'codex',
  '@google/gemini-cli': 'gemini',
  'opencode-ai': 'opencode',
};

/**
 * Whether a shell command plainly starts a known program so that it resumes a conversation. It reads the words that
 * stand there; what a script does inside is the user's own affair.
 */
export function resumingFlag(shellCommand: string): { program: string; flag: string } | null {
  for (const { program, words } of knownCommands(shellCommand)) {
    const flag = words.find((word) => RESUMING[program]?.includes(beforeEquals(word)) === true);
    if (flag !== undefined) return { program, flag: beforeEquals(flag) };
  }
  return null;
}

/** The known programs that a shell command plainly starts. */
export const programsStarted = (shellCommand: string): string[] => [
  ...new Set(knownCommands(shellCommand).map(({ program }) => program)),
];

/** `words`: what the program is given. */
function knownCommands(shellCommand: string): { program: string; words: readonly string[] }[] {
  return plainCommands(shellCommand).flatMap(({ program, words }) => {
    const name = PACKAGES[program] ?? path.basename(program);
    return Object.hasOwn(RESUMING, name) ? [{ program: name, words }] : [];
  });
}

const beforeEquals = (word: string): string => (word.startsWith('--') ? word.replace(/=.*$/s, '') : word);
