import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/*
 * Figures of all workers together. Whichever of them is asked asks the first process, which collects the figures of
 * each and adds them up.
 */

const ASK = 'perennial:metrics-wanted';
const TOLD = 'perennial:metrics';

interface Asked {
  readonly type: typeof ASK;
  readonly id: number;
}

interface Told {
  readonly type: typeof TOLD;
  readonly id: number;
  /** Undefined when the figures could not be collected. */
  readonly text: string | undefined;
}

/** In the first process: answers the workers. */
export function serveClusterMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: Partial<Asked>) => {
    if (message.type !== ASK || message.id === undefined) return;
    const { id } = message;
    const tell = (text: string | undefined): void => {
      if (worker.isConnected()) worker.send({ type: TOLD, id, text } satisfies Told);
    };
    all.clusterMetrics().then(tell, () => tell(undefined));
  });
}

/**
 * In a worker: gives its figures when they are collected, and reads those of all in Prometheus's text format.
 * @returns a function that rejects when a worker did not answer in time.
 */
export function readClusterMetrics(registry: Registry): () => Promise<string> {
  // Its constructor makes the worker answer.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  process.on('message', ({ type, id, text }: Partial<Told>) => {
    if (type !== TOLD || id === undefined) return;
    waiting.get(id)?.(text);
    waiting.delete(id);
  });
  return () =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, (text) => {
        if (text === undefined) reject(new Error('the figures of the workers could not be collected'));
        else resolve(text);
      });
      process.send?.({ type: ASK, id: last } satisfies Asked);
    });
}
