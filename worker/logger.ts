import { DefaultLogger, Runtime } from '@temporalio/worker';
import pino from 'pino';
import type { Redactor } from '../redaction/redactor.ts';
import { namedEnd } from './named-end.ts';

export type WorkerLogger = pino.Logger;

/** The worker's log: one JSON object a line on stdout, redacted. Temporal's own lines join it. Call once, before any worker. */
export function installLogger(redactor: Redactor): WorkerLogger {
  const logger = pino({
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Temporal's own lines name it so.
    serializers: { error: pino.stdSerializers.errWithCause },
    hooks: { streamWrite: (line) => redactor.text(line) },
  });
  Runtime.install({
    logger: new DefaultLogger('INFO', (entry) => {
      const { level, message, meta } = namedEnd(entry);
      logger[pinoLevels[level]](meta === undefined ? {} : meta, message);
    }),
    telemetryOptions: { logging: { forward: {}, filter: 'temporalio_sdk_core=WARN' } },
    // The worker decides itself when it stops: its agents come first.
    shutdownSignals: [],
  });
  return logger;
}

const pinoLevels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
