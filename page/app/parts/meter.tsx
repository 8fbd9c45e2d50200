/** How much of a limit is used. `share`: from 0 to 1 and above; null: it has no limit, or that is not known. */
export function Meter({ name, text, share }: { name: string; text: string; share: number | null }) {
  const level = share === null ? 'none' : share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'low';
  return (
    <div class={`meter ${level}`}>
      <span class="name">{name}</span>
      <span class="text">{text}</span>
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (share ?? 0) * 100)}%` }} />
      </span>
    </div>
  );
}
