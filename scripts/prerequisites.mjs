// What a machine must have beside Node and npm, and the Debian package that brings it.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const PROGRAMS = {
  git: 'git',
  bash: 'bash',
  perl: 'perl',
  // macOS has Perl in place of flock.
  ...(process.platform === 'linux' && { flock: 'util-linux', bwrap: 'bubblewrap' }),
};
const NODE = [20, 19];

/** Throws where Node is too old. Returns the Debian packages that are missing. */
export function missingPackages() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NODE[0] || (major === NODE[0] && minor < NODE[1])) {
    throw new Error(`Node ${process.versions.node} is too old: at least ${NODE.join('.')} is needed.`);
  }
  return Object.entries(PROGRAMS)
    .filter(([program]) => !isOnPath(program))
    .map(([, debianPackage]) => debianPackage);
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
