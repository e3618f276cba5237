import { Worker } from 'node:worker_threads';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { JsonText } from '../platform/json-text.ts';
import { type ThreadLimits, threadLimits } from './limits.ts';
import { type Answering, type Asking, receivedError } from './messages.ts';
import type { Answered, SequenceName, Sequences, TaskName, Tasks } from './tasks.ts';
import type { ThreadData } from './worker.ts';

/** Runs computations on the medical knowledge outside core's event loop. */
export interface Compute {
  /** @throws Fault of the task; `computation_too_large` or `computation_timeout` when it costs too much; `unavailable`. */
  run<N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Answered<N>>;
  /** The parts of a result, one by one. Each is computed when it is asked for. */
  iterate<N extends SequenceName>(
    name: N,
    input: Sequences[N]['input'],
  ): AsyncGenerator<Sequences[N]['piece'], void, undefined>;
}

/** The thread failed, and no question caused it. */
export class ThreadFailed extends Error {
  override readonly name = 'ThreadFailed';
}

interface Waiting {
  readonly resolve: (answer: Answering) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly pulse: Int32Array;
  readonly ready: PromiseWithResolvers<void>;
  isReady: boolean;
  lastPulse: number;
  lastSeenMs: number;
}

const WATCH_MS = 1_000;
const RETRY_AFTER = { 'retry-after': '1' };

/**
 * The one thread that holds the knowledge. It is started when it is first wanted, and anew when it has died or shows no
 * sign of life; what was asked of the one before is then answered 503.
 */
export class ComputeThread implements Compute {
  readonly #secret: SharedSecret;
  readonly #limits: ThreadLimits;
  readonly #entry: URL;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Thread | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  /**
   * @param secret signs the cursors of lists.
   * @param entry the thread's program. A seam for tests.
   */
  constructor(
    secret: SharedSecret,
    limits: ThreadLimits = threadLimits,
    entry: URL = new URL('./worker.ts', import.meta.url),
  ) {
    this.#secret = secret;
    this.#limits = limits;
    this.#entry = entry;
  }

  /** Resolves when the knowledge has been read. @throws ThreadFailed naming every mistake in its files. */
  async ready(): Promise<void> {
    await this.#started().ready.promise;
  }

  async run<N extends TaskName>(name: N, input: Tasks[N]['input']): Promise<Answered<N>> {
    const answer = await this.#ask((id) => ({ kind: 'run', id, name, input }));
    const { output, text } = answer as Extract<Answering, { kind: 'done' }>;
    if (text === undefined) return output as Answered<N>;
    const written = new JsonText(text);
    return (output === undefined ? written : { ...(output as object), data: written }) as Answered<N>;
  }

  async *iterate<N extends SequenceName>(
    name: N,
    input: Sequences[N]['input'],
  ): AsyncGenerator<Sequences[N]['piece'], void, undefined> {
    let sequence = 0;
    let isOpen = true;
    try {
      let answer = await this.#ask((id) => {
        sequence = id;
        return { kind: 'open', id, name, input };
      });
      while (answer.kind === 'piece' && !answer.isLast) {
        yield answer.piece as Sequences[N]['piece'];
        answer = await this.#ask((id) => ({ kind: 'next', id, sequence }));
      }
      isOpen = false;
    } finally {
      if (isOpen) this.#thread?.worker.postMessage({ kind: 'close', sequence } satisfies Asking);
    }
  }

  /** Ends the thread. What is under way fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(new Fault('unavailable', { headers: RETRY_AFTER }));
  }

  async #ask(question: (id: number) => Asking): Promise<Answering> {
    if (this.#isClosed || this.#waiting.size >= this.#limits.waitingMax)
      throw new Fault('unavailable', { headers: RETRY_AFTER });
    const { worker } = this.#started();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answering>();
    this.#waiting.set(id, { resolve, reject });
    worker.postMessage(question(id));
    return promise;
  }

  #started(): Thread {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): Thread {
    const pulse = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ThreadData = { secret: this.#secret, pulse };
    const worker = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMiBMax, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      env: {},
      workerData,
      stdin: false,
    });
    const ready = Promise.withResolvers<void>();
    // Callers get the rejection; without a listener it would end the process.
    ready.promise.catch(() => undefined);
    const thread: Thread = { worker, pulse, ready, isReady: false, lastPulse: 0, lastSeenMs: performance.now() };
    worker.on('message', (answer: Answering) => this.#receive(thread, answer));
    worker.on('error', (error) => this.#failed(thread, error));
    worker.on('exit', () => this.#failed(thread, new ThreadFailed('the thread ended')));
    worker.unref();
    this.#watch ??= setInterval(() => this.#look(), WATCH_MS).unref();
    return thread;
  }

  #receive(thread: Thread, answer: Answering): void {
    if (answer.kind === 'ready') {
      thread.isReady = true;
      thread.lastSeenMs = performance.now();
      thread.ready.resolve();
      return;
    }
    if (answer.kind === 'failed') {
      this.#failed(thread, new ThreadFailed(answer.message));
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'refused') waiting?.reject(receivedError(answer.error));
    else waiting?.resolve(answer);
  }

  #failed(thread: Thread, error: Error): void {
    thread.ready.reject(error);
    if (this.#thread !== thread) return;
    void this.#end(new Fault('unavailable', { headers: RETRY_AFTER, cause: error }));
  }

  /** A thread that stops responding while work is pending is ended: it may be in an endless loop. */
  #look(): void {
    const thread = this.#thread;
    if (!thread) return;
    const beats = Atomics.load(thread.pulse, 0);
    if (this.#waiting.size === 0 || beats !== thread.lastPulse) {
      thread.lastPulse = beats;
      thread.lastSeenMs = performance.now();
    } else if (performance.now() - thread.lastSeenMs > this.#silenceMsMax(thread)) {
      void this.#end(new Fault('computation_timeout', { headers: RETRY_AFTER }));
    }
  }

  #silenceMsMax({ isReady }: Thread): number {
    return isReady ? this.#limits.silenceMsMax : this.#limits.loadMsMax;
  }

  async #end(error: Error): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    clearInterval(this.#watch);
    this.#watch = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
    thread?.ready.reject(error);
    await thread?.worker.terminate();
  }
}
