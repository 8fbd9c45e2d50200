import type { ServicesView } from '../../client/connect/services.ts';
import { age, UNKNOWN } from '../../client/describe/amounts.ts';
import { fields } from '../terminal/layout.ts';
import type { Palette } from '../terminal/palette.ts';

function temporalText({ temporal }: ServicesView, paint: Palette): string {
  const { server, source, address, problem, namespace, reachable } = temporal;
  if (source === 'external') {
    const state = reachable ? paint.good('reachable') : paint.bad('not reachable');
    return `${state}  ${address ?? UNKNOWN}, namespace ${namespace} (yours)${problem === null ? '' : `\n${problem}`}`;
  }
  if (server === null || server.kind === 'down') return `${paint.warn('down')}  \`ralph up\` starts it`;
  if (server.kind === 'starting') return `${paint.warn('starting')}  ${server.address}, pid ${server.pid}`;
  const state = reachable ? paint.good('up') : paint.bad('not answering');
  return `${state}  ${server.address}, pid ${server.pid}, web UI ${server.webAddress}`;
}

function workerText({ worker, agentKeys }: ServicesView, now: number, paint: Palette): string {
  switch (worker.kind) {
    case 'down':
      return `${paint.warn('down')}  \`ralph up\` starts it`;
    case 'not-ready':
      return `${paint.warn('not ready')}  pid ${worker.pid}`;
    case 'stopped':
      return `${paint.bad('stopped')}  pid ${worker.pid} is stopped by SIGSTOP; \`ralph up\` replaces it`;
    case 'ready': {
      const keys = agentKeys === null || agentKeys.length === 0 ? 'no keys for agents' : `has ${agentKeys.join(', ')}`;
      return `${paint.good('up')}  pid ${worker.pid}, version ${worker.version}, since ${age(worker.readyAt, now)}, ${keys}`;
    }
    default:
      return worker satisfies never;
  }
}

function watchdogText({ watchdog }: ServicesView): string {
  return watchdog === null
    ? 'none: a worker that is killed is not restarted'
    : `pid ${watchdog.pid}: restarts a worker that is killed`;
}

/** Without its token, which `ralph ui` prints. */
function pageText({ page }: ServicesView): string {
  return page === null
    ? 'down; `ralph ui` starts it'
    : `${page.address}, pid ${page.pid}; \`ralph ui\` prints its whole address`;
}

function runsText({ liveRuns }: ServicesView): string {
  if (liveRuns === null) return UNKNOWN;
  return liveRuns.length === 0 ? 'none' : liveRuns.join('\n');
}

/** The page of `ralph status`. */
export function servicesPage(view: ServicesView, how: { now: number; paint: Palette }): string[] {
  const { now, paint } = how;
  const rows: [string, string][] = [
    ['Temporal', temporalText(view, paint)],
    ['Worker', workerText(view, now, paint)],
    ['Watchdog', watchdogText(view)],
    ['Page', pageText(view)],
    ['Live runs', runsText(view)],
    ['RALPH_HOME', view.diskFull === null ? view.ralphHome : `${view.ralphHome}\n${paint.bad(view.diskFull)}`],
    ['Logs', [view.temporal.log, view.workerLog].filter((log) => log !== null).join('\n')],
  ];
  return fields(rows, paint);
}
