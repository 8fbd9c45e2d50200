import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { hasCode } from '../../system/error-code.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import { LOCK_IS_HELD } from './service.ts';

/** How long somebody else's work is waited for. */
const PATIENCE_SECONDS = 30;

/**
 * Do something while nobody else who asks for the same lock does. @returns null if another process held it for longer
 * than this waits. Throws RalphError `lock-program-missing`.
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

/**
 * Lock descriptor 3, which is this process's own open file: the lock is that file's, so it outlives the program that asks
 * for it, and the kernel releases it when this process closes the file or is gone.
 */
function isTaken(fd: number, patienceSeconds: number): Promise<boolean> {
  const [program, ...words] = asking(patienceSeconds);
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'inherit', fd],
    env: { ...process.env, PERL_BADLANG: '0' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(hasCode(cause, 'ENOENT') ? ralphError('lock-program-missing', { program: 'flock' }, { cause }) : cause);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(true);
      else if (code === LOCK_IS_HELD) resolve(false);
      else reject(new Error(`${program} could not take a lock: exit code ${String(code)}`));
    });
  });
}

/** util-linux has flock(1). A macOS may lack it, and has Perl. */
function asking(patienceSeconds: number): [program: string, ...words: string[]] {
  if (findOnPath('flock', process.env['PATH']) !== null) {
    return ['flock', '-E', String(LOCK_IS_HELD), '-w', String(patienceSeconds), '3'];
  }
  const words = `use Fcntl ':flock'; open(my $held, '+<&=', 3) or die "no lock: $!\\n"; $SIG{ALRM} = sub { exit ${LOCK_IS_HELD} };
    alarm shift; flock($held, LOCK_EX) or die "cannot lock: $!\\n";`;
  return ['perl', '-e', words, String(patienceSeconds)];
}
