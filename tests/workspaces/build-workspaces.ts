import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Compile workspaces/ for a process of its own, below `.cache/`. Returns the folder, and how to remove it. */
export function buildWorkspaces(): { folder: string; remove: () => void } {
  const cache = path.join(process.cwd(), '.cache', 'tests');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'workspaces-'));
  const config = {
    extends: path.join(process.cwd(), 'tsconfig.build.json'),
    compilerOptions: { outDir: folder, rootDir: process.cwd(), declaration: false, skipLibCheck: true },
    include: [path.join(process.cwd(), 'workspaces'), path.join(process.cwd(), 'schemas')],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync(path.join(process.cwd(), 'node_modules', '.bin', 'tsc'), ['-p', folder], { stdio: 'pipe' });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}
