import { environmentSecrets } from '../../redaction/environment-secrets.ts';
import type { Secret } from '../../redaction/secret.ts';
import { furtherNames } from '../run/environment.ts';
import { homeFileSecrets } from './home-files.ts';
import type { WorkerEnv } from '../provider.ts';
import { providers } from '../registry.ts';

/**
 * Every secret of a worker that an agent gets, or could get at: of its environment, of the file with its keys, and of
 * the logins of all programs.
 */
export async function workerSecrets(worker: { env: WorkerEnv; envFile: WorkerEnv }): Promise<Secret[]> {
  const { env, envFile } = worker;
  const handed = new Set([
    ...providers.flatMap(({ environment }) => environment.passed),
    ...furtherNames(env),
    ...Object.keys(envFile),
  ]);
  return [
    ...environmentSecrets(env, handed),
    ...environmentSecrets(envFile, handed),
    ...(await homeFileSecrets(providers.flatMap((provider) => provider.homeFiles(env)))),
  ];
}
