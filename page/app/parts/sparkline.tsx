const WIDTH = 96;
const HEIGHT = 24;

/** Lines changed by the last rounds, a bar each. Unknown is a gap. */
export function Sparkline({ lines }: { lines: readonly (number | null)[] }) {
  if (lines.length === 0) return <span class="spark none">–</span>;
  const most = Math.max(1, ...lines.map((each) => each ?? 0));
  const step = WIDTH / Math.max(lines.length, 12);
  const known = lines.filter((each) => each !== null);
  const last = known.at(-1);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Lines changed by the last ${lines.length} rounds: at most ${most}, last ${last ?? 'unknown'}`}
    >
      {lines.map((each, i) => {
        const height = each === null ? 0 : Math.max(1.5, (Math.sqrt(each) / Math.sqrt(most)) * HEIGHT);
        return <rect key={i} x={i * step} y={HEIGHT - height} width={Math.max(1, step - 1.5)} height={height} rx="1" />;
      })}
    </svg>
  );
}
