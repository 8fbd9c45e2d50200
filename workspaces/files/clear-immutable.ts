import { runToEnd } from '../git/run-to-end.ts';

const TIMEOUT_MS = 60_000;

/**
 * Take the flags away that keep even root from changing files (`chattr +i`, `+a`), at and below a path. False if this
 * user or system cannot.
 */
export async function clearImmutable(target: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const path = process.env['PATH'] ?? '';
  try {
    const { code } = await runToEnd({
      argv: ['chattr', '-R', '-f', '-ia', '--', target],
      cwd: '/',
      as: null,
      env: { PATH: path, LC_ALL: 'C' },
      stdin: { bytes: Buffer.alloc(0) },
      stdoutFile: null,
      onStdout: () => undefined,
      onStderr: () => undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // It complains of links, which have no flags, and goes on.
    return code !== null;
  } catch {
    // There is no chattr here.
    return false;
  }
}
