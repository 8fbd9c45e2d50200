/** Words before a program that do not change which one it is. */
const PREFIXES = new Set(['exec', 'command', 'env', 'npx', 'bunx', 'nice', 'nohup', 'time', 'timeout', 'stdbuf']);

/** One simple command. `before`: words in front of the program, such as `npx`. `words`: what the program is given. */
export interface PlainCommand {
  readonly before: readonly string[];
  readonly program: string;
  readonly words: readonly string[];
}

/**
 * The commands that a shell command plainly starts, in order. It reads the words that stand there; what a script does
 * inside is the user's own affair. `program` has no version.
 */
export function plainCommands(shellCommand: string): PlainCommand[] {
  return simpleCommands(shellCommand).flatMap((words) => {
    const at = words.findIndex((word) => !isPrefix(word));
    const word = words[at];
    if (word === undefined) return [];
    return [{ before: words.slice(0, at), program: word.replace(/(?<=.)@[^/@]*$/, ''), words: words.slice(at + 1) }];
  });
}

function simpleCommands(shellCommand: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of shellCommand.matchAll(TOKEN)) {
    if (SEPARATOR.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/["'\\]/g, ''));
  }
  return commands;
}

const TOKEN = /(?:[^\s"'\\;|&()]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+|[;|&()\n]/g;
const SEPARATOR = /^[;|&()\n]$/;

function isPrefix(word: string): boolean {
  return PREFIXES.has(word) || word.startsWith('-') || /^\w+=/.test(word) || /^\d+[smhd]?$/.test(word);
}
