import type { Database } from '@perennial/prisma/client.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { SharedRequest } from '@perennial/schemas/platform/internal-token.ts';

/** Longer than such a token is valid, clock skew included. */
const KEPT_MINUTES = 30;

/**
 * Which requests that name no core have been taken, by whichever core of this database. Only what comes through a
 * balancer, and the first request of a gateway, is one: all others cost nothing here.
 */
export class SharedRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether it is the first time that any core sees this request. */
  async take({ sender, number }: SharedRequest): Promise<boolean> {
    const taken = await asSystem(
      'replays',
      () => this.#database.$executeRaw`
        INSERT INTO core.shared_requests (sender, number) VALUES (${sender}, ${number}) ON CONFLICT DO NOTHING`,
    );
    return taken === 1;
  }

  /** Removes entries of requests whose tokens have expired. @returns how many. */
  removeExpired(): Promise<number> {
    return this.#database.$executeRaw`
      DELETE FROM core.shared_requests WHERE taken_at < now() - make_interval(mins => ${KEPT_MINUTES}::int)`;
  }
}
