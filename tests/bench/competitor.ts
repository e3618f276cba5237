import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import express from 'express';
import { createProxyMiddleware, responseInterceptor } from 'http-proxy-middleware';

/*
 * What the gateway is compared with: http-proxy-middleware on express with kept-alive connections, bare, or with its own
 * `responseInterceptor` doing by hand the rewrite that v2022-11-15 needs. No key, no version, no limit, no log.
 */

const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256 });
const target = process.env['UPSTREAM'] as string;
const rewrites = process.env['REWRITES'] === 'yes';

const app = express();
app.disable('x-powered-by');
app.use(
  rewrites
    ? createProxyMiddleware({
        target,
        agent,
        changeOrigin: true,
        selfHandleResponse: true,
        on: { proxyRes: responseInterceptor(async (buffer) => JSON.stringify(older(JSON.parse(buffer.toString())))) },
      })
    : createProxyMiddleware({ target, agent, changeOrigin: true }),
);
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
server.keepAliveTimeout = 60_000;
// An ordered exit, for a profile is written only then.
for (const event of ['disconnect', 'SIGTERM'] as const) process.on(event, () => process.exit(0));

/** The patient of an envelope as v2022-11-15 shows it. */
function older(envelope: JsonObject): JsonObject {
  const { sex, gender_identity: _, contact_info, ...patient } = envelope['data'] as JsonObject;
  const { preferred_method: __, ...contact } = contact_info as JsonObject;
  return {
    ...envelope,
    meta: { ...(envelope['meta'] as JsonObject), version: '2.3.0' },
    data: { ...patient, gender: sex, contact },
  };
}
