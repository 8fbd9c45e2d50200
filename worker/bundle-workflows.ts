import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Bundle the workflow code for Temporal's isolate. Takes two seconds, so it is done when the package is built. */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath });
  return code;
}

/** Where the built package keeps the bundle. */
export const bundlePath = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(bundlePath, await bundleWorkflows(fileURLToPath(new URL('../workflows/index.js', import.meta.url))));
}
