import type { SearchProgress } from './search-event.ts';

const COUNTERS = 3;
const PATH_AT = (COUNTERS + 1) * Float64Array.BYTES_PER_ELEMENT;
/** Linux allows no longer path. */
const MAX_PATH_BYTES = 4096;

/** Memory in which a thread says how far it is: it can be read when the thread answers no more. */
export const sharedProgress = (): SharedArrayBuffer => new SharedArrayBuffer(PATH_AT + MAX_PATH_BYTES);

/** Says which file is read next. A message for each of many thousand files would cost more than the search. */
export function progressWriter(shared: SharedArrayBuffer): (file: string, progress: SearchProgress) => void {
  const numbers = new Float64Array(shared, 0, COUNTERS + 1);
  const text = Buffer.from(shared, PATH_AT);
  return (file, { runs, files, bytes }) => {
    numbers.set([runs, files, bytes, text.write(file)]);
  };
}

/** What was written last. To be asked once the thread has ended. */
export function readProgress(shared: SharedArrayBuffer): SearchProgress & { readonly reading: string | null } {
  const [runs = 0, files = 0, bytes = 0, length = 0] = new Float64Array(shared, 0, COUNTERS + 1);
  const reading = Buffer.from(shared, PATH_AT).toString('utf8', 0, length);
  return { runs, files, bytes, reading: reading === '' ? null : reading };
}
