import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Bundle the workflow code for Temporal's isolate. Takes two seconds, so it is done when the package is built. */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath });
  return code;
}

// bundle-workflows.js WORKFLOWS TO: as the build calls it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [workflowsPath, to] = process.argv.slice(2);
  if (workflowsPath === undefined || to === undefined) throw new Error('Say what to bundle, and where to.');
  await writeFile(to, await bundleWorkflows(workflowsPath));
}
