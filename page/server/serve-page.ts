import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type Deployment, openDeployment } from '../../client/connect/deployment.ts';
import { pagePorts } from '../../host/server/ports.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { hasCode } from '../../system/error-code.ts';
import { addAssets } from './assets.ts';
import { headers, jsonBody, notStored, ownHost, smallBody, withToken } from './guards.ts';
import { addActions } from './routes/actions.ts';
import { addDocuments } from './routes/documents.ts';
import { addEvents } from './routes/events.ts';
import { addLogs } from './routes/logs.ts';

const HOST = '127.0.0.1';

export interface ServedPage {
  readonly port: number;
  /** Runs that somebody follows right now. */
  readonly watched: () => readonly string[];
  close(): Promise<void>;
}

/**
 * Serve the page on the loopback: at `port`, or at the first free one of this RALPH_HOME. Every guard comes before every
 * route. Throws RalphError `page-port-taken`.
 */
export async function servePage(how: {
  deployment: Deployment;
  assets: string;
  token: string;
  port: number | null;
}): Promise<ServedPage> {
  const { deployment, assets, token } = how;
  let port = 0;
  const app = new Hono();
  app.use(
    headers,
    notStored,
    ownHost(() => port),
  );
  app.use('/api/*', withToken(token), smallBody, jsonBody);
  await addAssets(app, assets);
  addDocuments(app, deployment);
  addLogs(app, deployment);
  const { watched } = addEvents(app, deployment);
  // Settings are read anew for every action, as a command would.
  addActions(app, async () => ({ ...(await openDeployment(deployment.env)), ...keptOf(deployment) }));
  app.notFound((c) => c.text('There is no such page.\n', 404));
  const server = createServer(getRequestListener(app.fetch, { hostname: HOST }));
  port = await listen(server, how.port === null ? pagePorts(deployment.ralphHome) : [how.port]);
  return {
    port,
    watched,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const keptOf = ({ kept }: Deployment): Pick<Deployment, 'kept'> => (kept === undefined ? {} : { kept });

/** Take the first of these ports that nobody has. */
async function listen(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: HOST, port, exclusive: true }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return port;
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE') && !hasCode(error, 'EACCES')) throw error;
    }
  }
  throw ralphError('page-port-taken', { port: ports[0] ?? 0 });
}
