const COLUMNS = 200;
const LEAST = 4;

/** How test runners mark a failure. */
const FAILURE = [
  /^\s*not ok \d/,
  /^\s*[✖✗✘×●] /,
  /^\s*(FAIL|FAILED|--- FAIL:|error(\[|:))/,
  /^\s*\S*(Error|Exception): /,
];
/** What comes after it that is not of it. */
const OTHER = /^\s*(ok \d|[✔✓] |# |1\.\.\d|PASS\b)/;
/** Lines of TAP that tell nothing. */
const IDLE = /^\s*(---|\.\.\.|duration_ms: .*|type: '.*')?\s*$/;

/** Of what a failed command printed the lines that tell most: its failures where they are marked as such, else its end. */
export function excerpt(output: string, most: number): string[] {
  const lines = output.split('\n').filter((line) => !IDLE.test(line));
  const failures = failuresIn(lines);
  const all = failures.length > 0 ? failures : lines;
  const shown = failures.length > 0 ? all.slice(0, most) : all.slice(-most);
  return shown.map((line) => (line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1)}…`));
}

function failuresIn(lines: readonly string[]): string[] {
  let isFailure = false;
  return lines.filter((line) => {
    if (FAILURE.some((sign) => sign.test(line))) isFailure = true;
    else if (OTHER.test(line)) isFailure = false;
    return isFailure;
  });
}

/** A text of several lines in at most so many: its first one, and of the rest what tells most. */
export function shortened(text: string, most: number): string {
  const [first = '', ...rest] = text.trim().split('\n');
  return rest.length < most ? text.trim() : [first, ...excerpt(rest.join('\n'), most - 1)].join('\n');
}

/** Texts that are so many lines all together: the longest are shortened, none to less than a few lines. */
export function withinLines(texts: readonly string[], most: number): string[] {
  const shown = [...texts];
  for (let over = lines(shown) - most; over > 0; over = lines(shown) - most) {
    const longest = shown.reduce((at, text, i) => (count(text) > count(shown[at] ?? '') ? i : at), 0);
    const text = shown[longest];
    if (text === undefined || count(text) <= LEAST) break;
    shown[longest] = shortened(text, Math.max(LEAST, count(text) - over));
  }
  return shown;
}

const count = (text: string): number => text.split('\n').length;
const lines = (texts: readonly string[]): number => texts.reduce((total, text) => total + count(text), 0);
