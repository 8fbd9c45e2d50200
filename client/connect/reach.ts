import { serverState } from '../../host/server/embedded-server.ts';
import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { TemporalLink } from './connect.ts';
import { isOutage } from './is-outage.ts';
import type { Deployment } from './deployment.ts';

/** An ailing server must not keep a reader from what is on disk. */
const ASK_MS = 10_000;

/** Whether Temporal can be asked. `error`: why not, for a reader who gets only what is on disk. */
type Reach =
  | { readonly kind: 'connected'; readonly link: TemporalLink }
  | { readonly kind: 'offline'; readonly error: RalphError };

/** Connect to the deployment's Temporal where it is up; starts nothing and throws nothing where it is not. */
async function reach(deployment: Deployment): Promise<Reach> {
  const { server } = deployment.settings;
  try {
    if (server.source === 'external') {
      const { connect } = await import('./connect.ts');
      return { kind: 'connected', link: await connect(deployment, { connection: server.connection, pages: null }) };
    }
    const state = await serverState(deployment.ralphHome);
    if (state.kind !== 'ready') return { kind: 'offline', error: ralphError('temporal-down', {}) };
    const { address, webAddress } = state;
    // Temporal's client takes a while to load: only where there is somebody to talk to.
    const { connect } = await import('./connect.ts');
    return { kind: 'connected', link: await connect(deployment, { connection: { address }, pages: webAddress }) };
  } catch (error) {
    if (error instanceof RalphError && error.code === 'temporal-unreachable') {
      return { kind: 'offline', error: await silence(deployment, error) };
    }
    throw error;
  }
}

/** Of an embedded server this machine shows why; of another, what its client says. */
async function silence({ ralphHome, settings }: Deployment, error: unknown): Promise<RalphError> {
  const { reasonOf, whySilent } = await import('./connect-embedded.ts');
  const reason = reasonOf(error);
  if (settings.server.source === 'external') {
    if (error instanceof RalphError) return error;
    return ralphError('temporal-unreachable', {
      address: settings.server.connection.address,
      reason: `it fails with "${reason}"`,
    });
  }
  const state = await serverState(ralphHome);
  return state.kind === 'down'
    ? ralphError('temporal-down', {})
    : await whySilent(ralphHome, { server: state, reason });
}

/** Ask something of Temporal where it can be asked, and close the connection. `offline`: why it cannot be asked. */
export async function whenReached<Answer>(
  deployment: Deployment,
  ask: (link: TemporalLink) => Promise<Answer>,
): Promise<{ answer: Answer; offline: null } | { answer: null; offline: RalphError }> {
  const reached = await reach(deployment);
  if (reached.kind === 'offline') return { answer: null, offline: reached.error };
  try {
    const { connection } = reached.link.client;
    const answer = await connection.withDeadline(Date.now() + ASK_MS, () => ask(reached.link));
    return { answer, offline: null };
  } catch (error) {
    if (!isOutage(error)) throw error;
    return { answer: null, offline: await silence(deployment, error) };
  } finally {
    await reached.link.close();
  }
}
