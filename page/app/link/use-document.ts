import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, get } from './api.ts';

export type Loaded<Document> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly document: Document }
  | { readonly kind: 'failed'; readonly message: string };

/** A document that is asked for once, and again when `version` changes; what was there stays until the new one is. */
export function useDocument<Document>(path: string, version: string | number = 0): Loaded<Document> {
  const [held, hold] = useState<{ path: string; loaded: Loaded<Document> }>({ path, loaded: { kind: 'loading' } });
  useEffect(() => {
    const over = new AbortController();
    get<Document>(path, over.signal).then(
      (document) => hold({ path, loaded: { kind: 'there', document } }),
      (error: unknown) => {
        if (over.signal.aborted) return;
        const message = error instanceof ApiProblem ? error.message : String(error);
        hold({ path, loaded: { kind: 'failed', message } });
      },
    );
    return () => over.abort();
  }, [path, version]);
  return held.path === path ? held.loaded : { kind: 'loading' };
}
