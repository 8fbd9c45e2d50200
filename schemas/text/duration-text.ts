// Apart from `duration.ts`, as a browser has no need of zod.

const SIZES = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** "420ms", "1.3s", "12s", "2m 3s", "8h", "1h 5m", "2d 4h": two units at most, as nobody reads a third. */
export function durationText(ms: number): string {
  if (ms <= 0) return '0s';
  if (ms < 1_000) return `${Math.max(Math.round(ms), 1)}ms`;
  if (ms < 9_950) return `${Number((ms / 1_000).toFixed(1))}s`;
  const seconds = Math.round(ms / 1_000);
  const largest = SIZES.findIndex(([, size]) => seconds >= size);
  // To the smaller of the two units, half of which is left out at most.
  const least = SIZES[Math.min(largest + 1, SIZES.length - 1)]?.[1] ?? 1;
  let rest = Math.round(seconds / least) * least;
  const parts: string[] = [];
  for (const [unit, size] of SIZES) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(`${whole}${unit}`);
    rest -= whole * size;
  }
  return parts.join(' ');
}
