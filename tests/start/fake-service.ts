import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWatch } from '@perennial/schemas/platform/child-watch.ts';

/*
 * In place of core and of the gateway, for tests of what starts them: it listens, says so, and ends when it is told to
 * or alone. It answers its number, so that a test can tell one from its successor. As core it dies at once when
 * FAKE_DIES says so.
 */

const isGateway = process.argv.includes('--port-is-held');
const port = Number(process.env[isGateway ? 'PORT' : 'CORE_PORT']);
const server = createServer((_request, response) => response.end(String(process.pid)));

function listen(): void {
  server.listen(port, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.send?.({ type: 'ready', url });
    if (!isGateway && process.env['FAKE_DIES'] === 'true') setTimeout(() => process.exit(3), 100);
  });
}

answerWatch();
process.on('disconnect', () => process.exit(0));
process.on('message', ({ type }: { readonly type?: string }) => {
  if (type === 'listen') listen();
});
if (isGateway) process.send?.({ type: 'prepared' });
else listen();
