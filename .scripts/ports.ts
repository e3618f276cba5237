import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Services of an earlier start that was killed close their ports as soon as they notice. */
const HANDOVER_MS_MAX = 2_000;
const AGAIN_MS = 50;

/**
 * Resolves when nobody listens there.
 * @param name the variable that says which port it is.
 * @throws Error with a sentence that says what to do.
 */
export async function requireFree(name: string, host: string, port: number): Promise<void> {
  if (port === 0) return;
  const until = Date.now() + HANDOVER_MS_MAX;
  for (;;) {
    const code = await tryToListen(host, port);
    if (code === undefined) return;
    if (code !== 'EADDRINUSE') throw new Error(`cannot listen on ${host}:${port} (${code}); check HOST and ${name}`);
    if (Date.now() > until)
      throw new Error(`port ${port} is taken; stop the program that has it, or set ${name} to another`);
    await sleep(AGAIN_MS);
  }
}

/** @returns what stood against it. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
