/** A document in named parts, each as JSON: what tells a reader only what changed. */
export type Parts = ReadonlyMap<string, string>;

/** What changed from one to the other, as a line of JSON; null: nothing. `set`: parts by name. `gone`: names. */
export function deltaLine(known: Parts, now: Parts): string | null {
  const set: string[] = [];
  for (const [name, text] of now) if (known.get(name) !== text) set.push(`${JSON.stringify(name)}:${text}`);
  const gone = [...known.keys()].filter((name) => !now.has(name));
  return set.length === 0 && gone.length === 0 ? null : `{"set":{${set.join(',')}},"gone":${JSON.stringify(gone)}}\n`;
}
