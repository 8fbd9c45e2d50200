import { writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Put a bwrap into a folder that says `words` and fails, so many times, and is the real one from then on.
 * @returns the folder
 */
export function failingBwrap(folder: string, words: string, times: number): string {
  const fails = path.join(folder, 'fails');
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
[ -s ${fails} ] || exec /usr/bin/bwrap "$@"
sed -i 1d ${fails}
echo "bwrap: ${words}" >&2
exit 1
`;
  writeFileSync(fails, 'once\n'.repeat(times));
  writeFileSync(path.join(folder, 'bwrap'), script, { mode: 0o755 });
  return folder;
}
