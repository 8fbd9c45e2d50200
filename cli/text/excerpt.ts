const COLUMNS = 200;

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
