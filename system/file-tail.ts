import { open } from 'node:fs/promises';
import { hasCode } from './error-code.ts';

/** The last `bytes` bytes of a file of ours as text, trimmed; "" where there is none. */
export async function fileTail(file: string, bytes: number): Promise<string> {
  const handle = await open(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (handle === null) return '';
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
