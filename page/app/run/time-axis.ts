/** A span of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch of the axis. `fold`: a time in which nothing happened, which takes a fixed width. */
interface Stretch extends Span {
  readonly x: number;
  readonly width: number;
  readonly fold: boolean;
}

/** Time to pixels, with idle times folded. */
export interface TimeAxis {
  readonly width: number;
  x(at: number): number;
  at(x: number): number;
  readonly folds: readonly { readonly x: number; readonly width: number; readonly ms: number }[];
}

const FOLD_MS = 5 * 60_000;
const FOLD_PX = 26;

export function timeAxis(busy: readonly Span[], { width, until }: { width: number; until: number }): TimeAxis {
  const merged = union(busy, until);
  const stretches = place(merged, width);
  const [first] = stretches;
  const within = (at: number): Stretch | undefined => stretches.find(({ to }) => at <= to) ?? stretches.at(-1);
  return {
    width,
    x(at) {
      const each = within(at);
      if (each === undefined || first === undefined) return 0;
      const share = each.to === each.from ? 0 : (at - each.from) / (each.to - each.from);
      return each.x + Math.min(Math.max(share, 0), 1) * each.width;
    },
    at(x) {
      const each = stretches.find((one) => x <= one.x + one.width) ?? stretches.at(-1);
      if (each === undefined) return 0;
      return each.from + ((x - each.x) / Math.max(each.width, 1)) * (each.to - each.from);
    },
    folds: stretches
      .filter(({ fold }) => fold)
      .map(({ x, width: wide, from, to }) => ({ x, width: wide, ms: to - from })),
  };
}

/** Spans in order, those that touch or are near as one. */
function union(busy: readonly Span[], until: number): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of busy.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from - last.to < FOLD_MS) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  const last = merged.at(-1);
  if (last !== undefined && until - last.to < FOLD_MS) last.to = Math.max(last.to, until);
  return merged;
}

function place(merged: readonly Span[], width: number): Stretch[] {
  const folds = Math.max(0, merged.length - 1);
  const total = merged.reduce((sum, { from, to }) => sum + Math.max(to - from, 1), 0);
  const room = Math.max(width - folds * FOLD_PX, width / 2);
  const foldPx = folds === 0 ? 0 : (width - room) / folds;
  const stretches: Stretch[] = [];
  let x = 0;
  for (const [i, { from, to }] of merged.entries()) {
    const before = merged[i - 1];
    if (before !== undefined) {
      stretches.push({ from: before.to, to: from, x, width: foldPx, fold: true });
      x += foldPx;
    }
    const wide = (Math.max(to - from, 1) / total) * room;
    stretches.push({ from, to, x, width: wide, fold: false });
    x += wide;
  }
  return stretches;
}
