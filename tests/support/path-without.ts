import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** A PATH with all that this machine's has but one program: a folder of links, made anew. */
export function pathWithout(program: string, folder: string): string {
  mkdirSync(folder);
  const taken = new Set([program]);
  for (const place of (process.env['PATH'] ?? '').split(':').filter((entry) => path.isAbsolute(entry))) {
    for (const name of programsIn(place)) {
      // The first one on a PATH is the one that counts.
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(path.join(place, name), path.join(folder, name));
    }
  }
  return folder;
}

function programsIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    // PATH may name what is not there.
    return [];
  }
}
