import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflows } from '../../worker/bundle-workflows.ts';

const folder = path.join(process.cwd(), '.cache', 'workflow-bundles');
const SOURCES = ['workflows', 'schemas', 'tests/fixtures/workflows'];

/** The bundle of workflow code, made once for each state of its sources: webpack takes seconds for every test file. */
export async function bundleOf(entry: string): Promise<string> {
  const file = path.join(folder, `${stateOf(entry)}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const code = await bundleWorkflows(entry);
    mkdirSync(folder, { recursive: true });
    const making = `${file}.${process.pid}`;
    writeFileSync(making, code);
    renameSync(making, file);
    return code;
  }
}

function stateOf(entry: string): string {
  const hash = createHash('sha256').update(entry).update(readFileSync('package-lock.json'));
  for (const source of SOURCES) {
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (name.endsWith('.ts')) hash.update(`${source}/${name}`).update(readFileSync(path.join(source, name)));
    }
  }
  return hash.digest('hex').slice(0, 32);
}
