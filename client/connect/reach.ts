import { serverState } from '../../host/server/embedded-server.ts';
import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import { isOutage, type TemporalLink } from './connect.ts';
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

/** What Temporal answered. `offline`: why it cannot be asked. */
export type Answered<Answer> =
  { readonly answer: Answer; readonly offline: null } | { readonly answer: null; readonly offline: RalphError };

/** Asks Temporal over one connection, which is opened when it is first needed, and again after it failed. */
export interface Asker {
  ask<Answer>(asks: (link: TemporalLink) => Promise<Answer>): Promise<Answered<Answer>>;
  close(): Promise<void>;
}

export function askOf(deployment: Deployment): Asker {
  const { kept } = deployment;
  if (kept !== undefined) return { ask: (asks) => kept.ask(asks), close: () => Promise.resolve() };
  let reaching: Promise<Reach> | null = null;
  const close = async (): Promise<void> => {
    const reached = await reaching;
    reaching = null;
    if (reached !== null && reached.kind === 'connected') await reached.link.close();
  };
  return {
    async ask(asks) {
      reaching ??= reach(deployment);
      const reached = await reaching;
      if (reached.kind === 'offline') {
        // It may be up when the next question comes.
        reaching = null;
        return { answer: null, offline: reached.error };
      }
      const asked = await askOver(deployment, reached.link, asks);
      if (asked.offline !== null) await close();
      return asked;
    },
    close,
  };
}

/** Over a connection that somebody else keeps open. */
export function askOverLink(deployment: Deployment, link: TemporalLink): Asker {
  return { ask: (asks) => askOver(deployment, link, asks), close: () => Promise.resolve() };
}

/** Ask something of Temporal where it can be asked, and close the connection. */
export async function whenReached<Answer>(
  deployment: Deployment,
  ask: (link: TemporalLink) => Promise<Answer>,
): Promise<Answered<Answer>> {
  const asker = askOf(deployment);
  try {
    return await asker.ask(ask);
  } finally {
    await asker.close();
  }
}

async function askOver<Answer>(
  deployment: Deployment,
  link: TemporalLink,
  asks: (link: TemporalLink) => Promise<Answer>,
): Promise<Answered<Answer>> {
  try {
    const answer = await link.client.connection.withDeadline(Date.now() + ASK_MS, () => asks(link));
    return { answer, offline: null };
  } catch (error) {
    if (!isOutage(error)) throw error;
    return { answer: null, offline: await silence(deployment, error) };
  }
}
