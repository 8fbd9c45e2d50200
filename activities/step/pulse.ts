import type { Context } from '@temporalio/activity';

const BEAT_MS = 1_000;

/** Tells Temporal every second that an activity lives, with the last details it was given, until it is stopped. */
export interface Pulse<T> {
  show(details: T): void;
  stop(): void;
}

/** The SDK throttles what is really sent. Takes the context as Temporal's module-level functions fail in callbacks. */
export function startPulse<T>(context: Context, first: T): Pulse<T> {
  let details = first;
  context.heartbeat(details);
  const timer = setInterval(() => {
    context.heartbeat(details);
  }, BEAT_MS);
  return {
    show(next) {
      details = next;
    },
    stop() {
      clearInterval(timer);
    },
  };
}
