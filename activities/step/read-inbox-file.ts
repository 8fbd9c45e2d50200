import type { InboxFile } from '../../agents/provider.ts';
import { readUntrustedFile } from '../../workspaces/files/read-untrusted-file.ts';

/** A file that an agent wrote below `root`, as text; anything but a small regular file of UTF-8 is refused. */
export async function readInboxFile(asked: { file: string; root: string; maxBytes: number }): Promise<InboxFile> {
  const found = await readUntrustedFile(asked);
  if (found.kind !== 'read') return found;
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(found.bytes) };
  } catch {
    // TextDecoder throws for malformed bytes and nothing else.
    return { kind: 'refused', why: 'is not UTF-8 text' };
  }
}
