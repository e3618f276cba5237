import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { CoreIdentity } from '../credentials/core-identity.ts';
import type { CoreClient } from './core-client.ts';

/** One core, and how it is asked. */
export interface Core {
  readonly url: string;
  readonly client: CoreClient;
  /** Which process answers there. */
  readonly identity: CoreIdentity;
  /** Asks whether it can do its work, as every request is asked. Rejects when it does not answer. */
  readonly probe: (signal: AbortSignal) => Promise<boolean>;
}

/** The cores that this gateway has. */
export interface Cores {
  /** One that is up and has not been tried; when there is none, any that has not been tried; else any. */
  pick(tried?: ReadonlySet<Core>): Core;
  readonly all: readonly Core[];
  /** A core could not be reached, or broke off: others are asked until it says again that it is ready. */
  failed(core: Core): void;
  /** Whether one of them says that it is ready. Asked anew at most once a second. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

const PROBE_MS_MAX = 1_000;
const PROBE_EVERY_MS = 1_000;
/** Unanswered in a row, until a core is taken for blocked. */
const SILENCES_MAX = 2;
const KNOWN_MS = 1_000;

/** Several cores are probed every second; a single one is probed on demand. */
export function createCores(cores: readonly Core[], logger: Logger): Cores {
  const down = new Set<Core>();
  const ending = new AbortController();
  let turn = 0;
  const mark = (core: Core, isUp: boolean): void => {
    if (isUp === !down.has(core)) return;
    if (isUp) down.delete(core);
    else down.add(core);
    if (cores.length > 1) logger.warn(isUp ? 'a core is back' : 'a core is not asked any more', { core: core.url });
  };
  const silences = new Map<Core, number>();
  const probe = async (core: Core): Promise<boolean> => {
    const said = await bounded(core.probe);
    const silent = said === undefined ? (silences.get(core) ?? 0) + 1 : 0;
    silences.set(core, silent);
    // A single late answer says little on a busy machine.
    if (!ending.signal.aborted && (said !== undefined || silent >= SILENCES_MAX)) mark(core, said === true);
    return said === true;
  };
  const watch = async (core: Core): Promise<void> => {
    while (!ending.signal.aborted) {
      await probe(core);
      await sleep(PROBE_EVERY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  };
  if (cores.length > 1) for (const core of cores) void watch(core);
  const ask = remembered(KNOWN_MS, async () => (await Promise.all(cores.map(probe))).includes(true));
  return {
    all: cores,
    pick(tried) {
      if (cores.length === 1) return cores[0] as Core;
      const untried = cores.filter((core) => !tried?.has(core));
      const up = untried.filter((core) => !down.has(core));
      const among = up.length > 0 ? up : untried.length > 0 ? untried : cores;
      turn = (turn + 1) % 1_000_000;
      return among[turn % among.length] as Core;
    },
    failed: (core) => mark(core, false),
    isReady: ask,
    async close() {
      ending.abort();
      await Promise.all(cores.map(({ client }) => client.close()));
    },
  };
}

/** Whether the probe succeeded; undefined when it did not finish in time. */
async function bounded(ask: (signal: AbortSignal) => Promise<boolean>): Promise<boolean | undefined> {
  const bound = AbortSignal.timeout(PROBE_MS_MAX);
  const asked = ask(bound).catch(() => (bound.aborted ? undefined : false));
  return Promise.race([asked, sleep(PROBE_MS_MAX, undefined, { ref: false })]);
}

/** The same, cached: asked at most once in the time given. */
export function remembered<T>(knownMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (answer === undefined || performance.now() > until) {
      until = Number.POSITIVE_INFINITY;
      answer = ask().finally(() => {
        until = performance.now() + knownMs;
      });
    }
    return answer;
  };
}
