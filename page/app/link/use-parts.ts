import { useEffect, useState } from 'preact/hooks';
import { followParts, type LinkState, type Parts } from './follow-parts.ts';

/** A document that changes, while it is on screen. `parts`: null before the first answer. */
export function useParts(path: string): { readonly parts: Parts | null; readonly link: LinkState } {
  const [held, hold] = useState<{ path: string; parts: Parts | null; link: LinkState }>({
    path,
    parts: null,
    link: 'opening',
  });
  useEffect(() => {
    hold({ path, parts: null, link: 'opening' });
    return followParts(path, {
      parts: (parts) => hold((before) => ({ ...before, parts })),
      link: (link) => hold((before) => (before.link === link ? before : { ...before, link })),
    });
  }, [path]);
  return held.path === path ? held : { parts: null, link: 'opening' };
}
