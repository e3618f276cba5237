import { userInfo } from 'node:os';
import type { Database } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/schemas/platform/ids.ts';
import { clientOf, MALFORMED_CLIENT } from '../usage/client.ts';
import { createAppender } from './append.ts';
import { BEGUN } from './entry.ts';
import type { AuditKeys } from './keys.ts';
import { NO_ORIGIN } from './origin.ts';

/** Puts what an operator does at the command line on record. */
export interface OperatorAudit {
  /**
   * Carries out an act on an account, on record in its trail before it begins and after it has ended. An act that cannot
   * be recorded is not carried out.
   */
  act<T>(accountId: string, operation: string, resourceIds: readonly string[], work: () => Promise<T>): Promise<T>;
}

const DONE = 200;
const FAILED = 500;

/** @param command that the operator gave, which stands where requests have the client's name. */
export function createOperatorAudit(database: Database, keys: AuditKeys, command: string): OperatorAudit {
  const append = createAppender(database, keys);
  const origin = { ...NO_ORIGIN, client: nameOf(command) };
  return {
    async act(accountId, operation, resourceIds, work) {
      const requestId = newId('act');
      const record = (status: number): Promise<void> =>
        append({
          accesses: [
            { accountId, at: new Date(), requestId, keyId: 'operator', operation, resourceIds, status, origin },
          ],
        });
      await record(BEGUN);
      try {
        const result = await work();
        await record(DONE);
        return result;
      } catch (error) {
        await record(FAILED);
        throw error;
      }
    },
  };
}

/** The command and who gave it, as far as the system knows them by a plain name. */
function nameOf(command: string): string {
  let user = '';
  try {
    user = userInfo().username;
  } catch {
    // A container may run as a number that has no name.
  }
  const name = clientOf(`${command}/${user}`);
  return name === MALFORMED_CLIENT ? command : name;
}
