import { ApiProblem, request } from './api.ts';

export type Parts = ReadonlyMap<string, unknown>;
/** `refused`: the token is missing or old. */
export type LinkState = 'opening' | 'live' | 'lost' | 'refused';

const AGAIN_MS = [250, 500, 1_000, 2_000, 5_000];

interface Line {
  readonly set: Readonly<Record<string, unknown>>;
  readonly gone: readonly string[];
}

/**
 * Follow a document that changes. A tab that nobody sees follows nothing: a browser has six connections to a server, for
 * all its tabs. @returns what ends it
 */
export function followParts(
  path: string,
  told: { readonly parts: (parts: Parts) => void; readonly link: (state: LinkState) => void },
): () => void {
  let connection = new AbortController();
  let isOver = false;
  const connect = async (): Promise<void> => {
    const { signal } = connection;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await readLines(path, { signal, told, onLine: () => (failures = 0) });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiProblem && error.status === 401) {
          told.link('refused');
          return;
        }
      }
      told.link('lost');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]));
    }
  };
  const onVisibility = (): void => {
    connection.abort();
    if (isOver || document.hidden) return;
    connection = new AbortController();
    void connect();
  };
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onVisibility);
    connection.abort();
  };
}

async function readLines(
  path: string,
  how: { signal: AbortSignal; told: Parameters<typeof followParts>[1]; onLine: () => void },
): Promise<void> {
  const { signal, told, onLine } = how;
  const { body } = await request(path, { signal });
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let parts = new Map<string, unknown>();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length === 0) continue;
    parts = new Map(parts);
    for (const line of lines) {
      const { set, gone }: Line = JSON.parse(line);
      for (const [name, part] of Object.entries(set)) parts.set(name, part);
      for (const name of gone) parts.delete(name);
    }
    onLine();
    told.link('live');
    told.parts(parts);
  }
}
