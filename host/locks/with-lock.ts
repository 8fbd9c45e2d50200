import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { hasCode } from '../../system/error-code.ts';
import { LOCK_IS_HELD } from './service.ts';

/**
 * Lock descriptor 3, which is this process's own open file: the lock is that file's, so it outlives the asking, and the
 * kernel releases it when this process closes the file or is gone.
 */
const ASK = `use Fcntl ':flock'; open(my $held, '+<&=', 3) or die "no lock: $!\\n"; $SIG{ALRM} = sub { exit ${LOCK_IS_HELD} };
  alarm shift; flock($held, LOCK_EX) or die "cannot lock: $!\\n";`;

/** How long somebody else's work is waited for. */
const PATIENCE_SECONDS = 30;

/**
 * Do something while nobody else who asks for the same lock does. @returns null where another process held it for longer
 * than is waited. Throws RalphError `perl-missing`.
 */
export async function withLock<Value>(
  file: string,
  work: () => Promise<Value>,
  patienceSeconds = PATIENCE_SECONDS,
): Promise<{ readonly done: Value } | null> {
  const handle = await open(file, 'a+', 0o600);
  try {
    return (await isTaken(handle.fd, patienceSeconds)) ? { done: await work() } : null;
  } finally {
    await handle.close();
  }
}

function isTaken(fd: number, patienceSeconds: number): Promise<boolean> {
  const child = spawn('perl', ['-e', ASK, String(patienceSeconds)], {
    stdio: ['ignore', 'ignore', 'inherit', fd],
    env: { ...process.env, PERL_BADLANG: '0' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(hasCode(cause, 'ENOENT') ? ralphError('perl-missing', {}, { cause }) : cause);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(true);
      else if (code === LOCK_IS_HELD) resolve(false);
      else reject(new Error(`perl could not take a lock: exit code ${String(code)}`));
    });
  });
}
