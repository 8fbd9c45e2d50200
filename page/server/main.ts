import { randomBytes } from 'node:crypto';
import { openDeployment } from '../../client/connect/deployment.ts';
import { askOf } from '../../client/connect/reach.ts';
import { packageVersion, pageAssets } from '../../host/package-root.ts';
import { portAskedFor } from '../../host/page-process/page-process.ts';
import { announcePage, assertIsPage } from '../../host/page-process/page-record.ts';
import { RalphError } from '../../schemas/errors/index.ts';
import { servePage } from './serve-page.ts';

const TOKEN_BYTES = 32;

/** The page's process: one per RALPH_HOME, started by `ralph ui`. It can be killed at any time; no run notices. */
async function main(): Promise<void> {
  const opened = await openDeployment(process.env);
  const { ralphHome } = opened;
  await assertIsPage(ralphHome);
  const kept = askOf(opened);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const page = await servePage({
    deployment: { ...opened, kept },
    assets: await pageAssets(),
    token,
    port: portAskedFor(process.env),
  });
  const end = async (): Promise<void> => {
    await page.close();
    await kept.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
  await announcePage(ralphHome, { version: await packageVersion(), port: page.port, token });
  process.stdout.write(`${new Date().toISOString()} ready at port ${page.port}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof RalphError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 1;
}
