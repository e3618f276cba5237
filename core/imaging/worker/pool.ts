import { Worker } from 'node:worker_threads';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { ModelSource } from '../analysis/model/models.ts';
import { ImageFault } from '../image-fault.ts';
import type { Reply, Request, TaskName, Tasks } from './tasks.ts';

/** Bounds of the workers. */
export interface PoolLimits {
  /** Tasks at the same time. */
  readonly workersMax: number;
  /** Tasks that wait; more are refused. */
  readonly waitingMax: number;
  readonly timeoutMs: number;
  /** Heap of one worker. Pixels lie outside it, and are bounded by what headers may claim. */
  readonly heapMiBMax: number;
  /** How long a worker without work is kept. */
  readonly idleMs: number;
}

/** Bounds that suit a machine of two cores. */
export const poolLimits: PoolLimits = {
  workersMax: 2,
  waitingMax: 32,
  // Less than the gateway waits for an answer to begin.
  timeoutMs: 25_000,
  heapMiBMax: 512,
  // The next image finds the model loaded, which takes about as long as to look at several.
  idleMs: 300_000,
};

interface Slot {
  worker: Worker | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Raised when a worker fails in a way that no file is to blame for. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/**
 * Decodes images in threads of their own: a file that takes too long, or too much memory, costs its thread and
 * nothing else.
 */
export class ImagePool {
  readonly #limits: PoolLimits;
  readonly #entry: URL;
  readonly #models: (() => ModelSource) | undefined;
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];
  #isClosed = false;

  /**
   * @param entry the thread's program. A seam for tests.
   * @param models the trained models that the threads load when they are first wanted; asked for when one starts.
   */
  constructor(
    limits: PoolLimits = poolLimits,
    entry: URL = new URL('./worker.ts', import.meta.url),
    models?: () => ModelSource,
  ) {
    this.#limits = limits;
    this.#entry = entry;
    this.#models = models;
    this.#free = Array.from({ length: limits.workersMax }, () => ({ worker: undefined, idle: undefined }));
  }

  /**
   * Performs a task when a worker is free.
   * @param read gives the bytes of the file, once they are wanted: what waits takes no memory.
   * @throws ImageFault when the file is to blame; Fault `unavailable` when too many wait.
   */
  async run<N extends TaskName>(
    name: N,
    read: () => Promise<Uint8Array>,
    input: Tasks[N]['input'],
  ): Promise<Tasks[N]['output']> {
    const slot = await this.#take();
    try {
      const bytes = await read();
      return (await this.#perform(slot, { name, bytes, input })) as Tasks[N]['output'];
    } finally {
      this.#give(slot);
    }
  }

  /** Ends every thread. Tasks under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#free.map((slot) => this.#end(slot)));
  }

  async #take(): Promise<Slot> {
    if (this.#isClosed) throw new Fault('unavailable');
    const slot = this.#free.pop();
    if (slot) return slot;
    if (this.#waiting.length >= this.#limits.waitingMax) {
      throw new Fault('unavailable', { headers: { 'retry-after': '5' } });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next) {
      next(slot);
      return;
    }
    this.#free.push(slot);
    if (this.#isClosed) void this.#end(slot);
    else {
      slot.idle = setTimeout(() => void this.#end(slot), this.#limits.idleMs);
      slot.idle.unref();
    }
  }

  async #perform(slot: Slot, request: Request): Promise<Tasks[TaskName]['output']> {
    clearTimeout(slot.idle);
    slot.worker ??= this.#start();
    const { worker } = slot;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => reject(tooMuch('takes longer than this service waits')), this.#limits.timeoutMs);
    const onError = (error: Error & { code?: string }): void => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(
        isMemory
          ? tooMuch('takes more memory than this service gives')
          : new WorkerFailed(error.message, { cause: error }),
      );
    };
    const onExit = (): void => reject(new WorkerFailed('the worker ended'));
    worker.once('message', resolve).once('error', onError).once('exit', onExit);
    // A copy would be made of bytes that are only lent, such as those of a pool of buffers.
    const { buffer, byteOffset, byteLength } = request.bytes;
    const isWhole = byteOffset === 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
    worker.postMessage(request, isWhole ? [buffer as ArrayBuffer] : []);
    try {
      const reply = await promise;
      if (reply.kind === 'done') return reply.output;
      if (reply.kind === 'fault') {
        if (reply.isSpoilt) await this.#end(slot);
        throw new ImageFault(reply.fault, reply.message);
      }
      await this.#end(slot);
      const error = new WorkerFailed(reply.message);
      if (reply.stack !== undefined) error.stack = reply.stack;
      throw error;
    } catch (error) {
      if (!(error instanceof ImageFault) || error.kind === 'too_large') await this.#end(slot);
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('message', resolve).off('error', onError).off('exit', onExit);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMiBMax, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
      // Nothing of the process's own: no secret is needed to decode an image.
      env: {},
      workerData: this.#models?.(),
      stdin: false,
    });
    // Where nobody listens, an error ends the process.
    worker.on('error', () => undefined);
    worker.unref();
    return worker;
  }

  async #end(slot: Slot): Promise<void> {
    clearTimeout(slot.idle);
    const { worker } = slot;
    slot.worker = undefined;
    await worker?.terminate();
  }
}

function tooMuch(what: string): ImageFault {
  return new ImageFault('too_large', `Decoding the image ${what}.`);
}
