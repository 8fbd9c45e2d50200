/**
 * Do what goes on without this command: from the start of `task`, Ctrl-C aborts its signal and nothing else; a second
 * one ends the command as ever.
 */
export async function detachable<T>(task: (detached: AbortSignal) => Promise<T>): Promise<T> {
  const detach = new AbortController();
  const onInterrupt = (): void => detach.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await task(detach.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
