// Numbers out of measurements.
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => quantile(values, 0.5);

/** Median of the last quarter over that of the first. */
export function growth(values) {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  return median(values.slice(-quarter)) / median(values.slice(0, quarter));
}
