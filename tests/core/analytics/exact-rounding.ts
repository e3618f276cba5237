import { Rounding } from '@perennial/core/analytics/disclosure.ts';
import { AnalyticsService } from '@perennial/core/analytics/service.ts';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { loginsOf } from '../../support/database.ts';

/** Numbers as they are, before they are protected: only tests may see them. */
export class ExactRounding extends Rounding {
  override total(count: number): number {
    return count;
  }

  override shown(count: number): number | null {
    return count;
  }

  override figure(value: number): number {
    return value;
  }

  override isCoarse(): boolean {
    return false;
  }
}

/** The services of an account on a day: with numbers as they are, and as they are shown. */
export function servicesOn(
  url: string,
  now: Date,
): { readonly exact: AnalyticsService; readonly shown: AnalyticsService; readonly database: Database } {
  const database = createDatabase(loginsOf(url).coreUrl, { isScoped: true, connectionTimeoutMs: 60_000 });
  return {
    database,
    exact: new AnalyticsService(database, 'secret', {
      now: () => now,
      rounding: (secret, account) => new ExactRounding(secret, account),
    }),
    shown: new AnalyticsService(database, 'secret', { now: () => now }),
  };
}
