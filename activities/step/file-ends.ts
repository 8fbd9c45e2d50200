import { open } from 'node:fs/promises';

/** The beginning and the end of a file of ours as text, trimmed, with a mark for what is between; "" for no file. */
export async function fileEnds(file: string, bytes: { first: number; last: number }): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return '';
  const part = async (length: number, position: number): Promise<string> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString('utf8', 0, bytesRead);
  };
  try {
    const { size } = await handle.stat();
    const { first, last } = bytes;
    if (size <= first + last) return (await part(first + last, 0)).trim();
    return `${(await part(first, 0)).trim()} […] ${(await part(last, size - last)).trim()}`;
  } finally {
    await handle.close();
  }
}
