import { parentPort } from 'node:worker_threads';

/* A worker that does what the first byte says: answers, does not come back, takes all memory, ends, or fails. */

parentPort?.on('message', ({ bytes }) => {
  switch (bytes[0]) {
    case 1:
      // Blocked as a loop would block it, at no cost.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      break;
    case 2: {
      const all = [];
      for (;;) all.push(new Array(100_000).fill(all.length));
    }
    case 3:
      process.exit(0);
      break;
    case 4:
      parentPort?.postMessage({ kind: 'fault', fault: 'unreadable', message: 'damaged', isSpoilt: true });
      break;
    default:
      parentPort?.postMessage({ kind: 'done', output: { width: bytes[0] } });
  }
});
