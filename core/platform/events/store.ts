import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, EventId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Visibility } from '../../visibility.ts';
import type { ListRequest } from '../ordering.ts';
import { readPage } from '../page-rows.ts';
import type { Found } from '../paging.ts';
import type { EventRow } from './event.ts';

/** Which events a list holds. */
export interface EventFilters {
  readonly kind?: string;
  readonly objectId?: string;
  readonly patientId?: PatientId;
}

const columns = Prisma.raw(
  [
    'e.id, e.account_id AS "accountId", e.kind, e.object_id AS "objectId", e.patient_id AS "patientId", e.sequence',
    'e.head_release AS "headRelease", e.document, e.created_at AS "createdAt"',
  ].join(', '),
);

/** Events in the database. Every query of a caller names the account. */
export class EventStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  async find(accountId: AccountId, id: EventId, visibility: Visibility): Promise<EventRow | undefined> {
    const [row] = await this.#database.$queryRaw<EventRow[]>`
      SELECT ${columns} FROM core.events e WHERE e.id = ${id} AND e.account_id = ${accountId} ${onlyVisible(visibility)}`;
    return row;
  }

  async list(
    accountId: AccountId,
    filters: EventFilters,
    visibility: Visibility,
    request: ListRequest,
  ): Promise<Found<EventRow>> {
    const conditions = Prisma.join(
      [
        Prisma.sql`e.account_id = ${accountId}`,
        ...(filters.kind === undefined ? [] : [Prisma.sql`e.kind = ${filters.kind}`]),
        ...(filters.objectId === undefined ? [] : [Prisma.sql`e.object_id = ${filters.objectId}`]),
        ...(filters.patientId === undefined ? [] : [Prisma.sql`e.patient_id = ${filters.patientId}`]),
      ],
      ' AND ',
    );
    const where = Prisma.sql`${conditions} ${onlyVisible(visibility)}`;
    const [page, counted] = await Promise.all([
      readPage<EventRow>(this.#database, Prisma.sql`SELECT ${columns} FROM core.events e WHERE ${where}`, request),
      request.includeTotal
        ? this.#database.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM core.events e WHERE ${where}`
        : undefined,
    ]);
    return { ...page, total: counted && Number(counted[0]?.count ?? 0) };
  }

  /** Removes events from before the instant, with their deliveries. @returns how many. */
  async removeBefore(instant: Date, limit: number): Promise<number> {
    const chosen = await this.#database.event.findMany({
      where: { createdAt: { lt: instant } },
      orderBy: { createdAt: 'asc' },
      take: limit,
      select: { id: true },
    });
    const ids = chosen.map(({ id }) => id);
    // Deliveries before events: finishing a delivery locks in the same order, and opposite orders could deadlock.
    await this.#database.webhookDelivery.deleteMany({ where: { eventId: { in: ids } } });
    const { count } = await this.#database.event.deleteMany({ where: { id: { in: ids } } });
    return count;
  }
}

/** SQL condition: the event is about something that is visible to the caller. */
function onlyVisible({ imaging }: Visibility): Prisma.Sql {
  return imaging ? Prisma.empty : Prisma.sql`AND e.kind NOT LIKE 'imaging.%'`;
}
