import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { CoreClient } from './core-client.ts';

/** The caller of the probe: no key, no scope. */
const self: Caller = { accountId: 'acc_perennial', keyId: 'key_gateway', scopes: [] };

/** Probes core in the same way as requests are sent, so that a core that would refuse them is not ready. */
export function createProbe(client: CoreClient): (signal: AbortSignal) => Promise<boolean> {
  return async (signal) => {
    const answer = await client.fetch({ caller: self, method: 'GET', path: '/ready', headers: {}, signal });
    return answer.status === 200;
  };
}
