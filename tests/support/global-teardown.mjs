import { rm } from 'node:fs/promises';

/** Ends the server of global-setup.mjs and removes its files. */
export default async function tearDown() {
  const { dataDir, server } = globalThis.perennialTestServer;
  await server.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
