/** Most growth of what costs in proportion to its size: twice as much would be noise, sixteen times a square. */
export const LINEAR = 4;

const TIMES = 16;

/** CPU time of `work(size)`, in µs: the least of a few goes, as another process can only add to it. */
function cpu(work: (size: number) => unknown, size: number): number {
  const goes = [1, 2, 3].map(() => {
    const from = process.cpuUsage();
    for (let at = 0; at < 3; at += 1) work(size);
    const { user, system } = process.cpuUsage(from);
    return user + system;
  });
  return Math.max(1, Math.min(...goes));
}

/** How many times dearer each unit of `work` is at sixteen times the size: about 1 if it is linear, 16 if quadratic. */
export function growth(work: (size: number) => unknown, size: number): number {
  work(size);
  const small = cpu(work, size);
  return cpu(work, size * TIMES) / small / TIMES;
}
