import type { ChildProcess } from 'node:child_process';

/*
 * Whoever starts a process can see that it hangs: it is asked on its channel again and again, and a process whose loop
 * is blocked, or that was stopped, does not answer. What it serves would tell the same, but would need its certificate
 * and would fill its log.
 */

const ASKED = 'perennial:are-you-there';
const ANSWERED = 'perennial:here';

/** Unanswered in a row until a process is taken for hung: one answer that comes late says little on a busy machine. */
const SILENCES_MAX = 3;

interface Said {
  readonly type?: unknown;
}

/** In a process that is watched: answers whoever started it. */
export function answerWatch(): void {
  process.on('message', (message: Said) => {
    if (message.type === ASKED && process.connected) process.send?.({ type: ANSWERED }, undefined, {}, () => undefined);
  });
}

/**
 * Watches a child, which answers with `answerWatch`.
 * @param silentMsMax how long it may answer nothing; 0 for any time.
 * @param hangs is told once, when it was silent for longer.
 * @returns what ends the watch.
 */
export function watchChild(child: ChildProcess, silentMsMax: number, hangs: () => void): () => void {
  if (silentMsMax === 0) return () => undefined;
  const everyMs = silentMsMax / SILENCES_MAX;
  let silences = 0;
  let askedAt = performance.now();
  const hear = ({ type }: Said): void => {
    if (type === ANSWERED) silences = 0;
  };
  const timer = setInterval(() => {
    const now = performance.now();
    // This process itself stood still, and with it perhaps the whole machine: that says nothing of the child.
    if (now - askedAt > 2 * everyMs) silences = 0;
    askedAt = now;
    if (silences >= SILENCES_MAX) {
      end();
      hangs();
      return;
    }
    silences += 1;
    if (child.connected) child.send({ type: ASKED }, () => undefined);
  }, everyMs).unref();
  const end = (): void => {
    clearInterval(timer);
    child.off('message', hear);
  };
  child.on('message', hear);
  child.once('exit', end);
  return end;
}
