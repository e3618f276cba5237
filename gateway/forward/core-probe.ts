import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { CoreClient } from './core-client.ts';

/** Who asks: nobody's key, and with no scope. */
const self: Caller = { accountId: 'acc_perennial', keyId: 'key_gateway', scopes: [] };

/** Asks core whether it is ready as every request is sent, so that a core which would refuse them is not. */
export function createProbe(client: CoreClient): (signal: AbortSignal) => Promise<boolean> {
  return async (signal) => {
    const answer = await client.fetch({ caller: self, method: 'GET', path: '/ready', headers: {}, signal });
    return answer.status === 200;
  };
}
