import type { AwakeTime } from '../../../system/awake-time.ts';
import type { FaultCode } from '../../../schemas/round/fault.ts';
import { answered } from '../../faults/faults.ts';
import { FollowedFile } from '../../output/followed-file.ts';
import type { AgentReading } from '../../provider.ts';

const LOG = '.local/share/opencode/log/opencode.log';

/**
 * Most that OpenCode waits by itself where the server names no time, and some: who waits longer was told to by a
 * `retry-after` header, which stands in no line of it.
 */
const OWN_BACKOFF_MS = 60_000;

/** A line of a process of OpenCode, and what it tells. */
const LINE = /^timestamp=\S+ level=\w+ run=(\w+) (.*)$/;
/** A request goes out. */
const ASKS = /^message=stream /;
/** A request failed; it is sent again after a wait, or an event says that it is not. */
const FAILED = /^message="stream error" .*\berror\.error="((?:[^"\\]|\\.)*)"/;

/** What the words of a server's error stand for, where OpenCode keeps its status to itself. */
const KINDS: readonly (readonly [RegExp, FaultCode])[] = [
  [
    /\b(?:usage|plan|quota|credits?|daily|weekly|monthly)\b[^.]{0,60}\b(?:limit|exceeded|exhausted|reached|used up)\b/i,
    'usage-limited',
  ],
  [/\bexceeded your current quota\b|\blimit (?:reached|exhausted)\b/i, 'usage-limited'],
  [/\boverloaded\b|\bunavailable\b|\bat capacity\b|\binternal (?:server )?error\b/i, 'model-overloaded'],
  [
    /\bfetch failed\b|\bconnect(?:ion)? (?:error|refused|lost)\b|\bunable to connect\b|\bsocket\b|\btimed? ?out\b|\bE[A-Z]{5,}\b/i,
    'network',
  ],
];

/**
 * OpenCode's log in the private HOME: it waits for a rate limit or for its plan's next window by itself, for as long as
 * the server says, and prints nothing about it.
 */
export class OpencodeLog {
  readonly #file: FollowedFile;
  /** Its process, which wrote the first line. */
  #run: string | null = null;
  /** Why its last request failed and when that was seen, as long as no other one went out. */
  #failure: { readonly said: string; readonly at: number } | null = null;

  constructor(home: string) {
    this.#file = new FollowedFile(home, LOG, (line) => this.#take(line));
  }

  /** It works: nothing is waited for. */
  printed(): void {
    this.#failure = null;
  }

  /** Whether it waits because it was told to, longer than it does by itself. */
  async waits(time: Pick<AwakeTime, 'since'>): Promise<boolean> {
    await this.#file.look();
    return this.#failure !== null && time.since(this.#failure.at) > OWN_BACKOFF_MS;
  }

  /** What it waits for; null: it does not wait. */
  async fault(now: Date): Promise<AgentReading['report'] | null> {
    await this.#file.look();
    if (this.#failure === null) return null;
    const said = this.#failure.said.replace(/^AI_\w+: /, '');
    const code = KINDS.find(([words]) => words.test(said))?.[1] ?? 'rate-limited';
    return answered({ status: null, said, message: `OpenCode waits for its model: ${said}`, known: code }, now);
  }

  #take(line: string): void {
    const [, run, told = ''] = LINE.exec(line) ?? [];
    // The agent may start another OpenCode, which writes into the same file.
    this.#run ??= run ?? null;
    if (run === undefined || run !== this.#run) return;
    if (ASKS.test(told)) this.#failure = null;
    const said = FAILED.exec(told)?.[1];
    if (said !== undefined) this.#failure = { said: said.replaceAll(/\\(.)/g, '$1'), at: performance.now() };
  }
}
