import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** The SDK has no download of its own: it downloads when it starts a server, so one is started and ended. */
export async function downloadTemporalCli(folder: string, version: string): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const server = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: folder, version: `v${version}` } },
  });
  await server.teardown();
  const [program] = await readdir(folder);
  if (program === undefined) throw new Error('the SDK downloaded nothing');
  return path.join(folder, program);
}
