import { HEAD_RELEASE_HEADER } from '@perennial/schemas/idempotency.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Event } from '@perennial/schemas/resources/event.ts';
import { headRelease } from '../../head-release.ts';
import type { ContextOf, HandlersFor } from '../http/handler.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { type FilterNames, readFilters } from '../query-filters.ts';
import { type EventRow, mayRead, toEvent } from './event.ts';
import type { EventFilters, EventStore } from './store.ts';

/** The operations on events. @param secret signs the cursors; the gateway shares it. */
export function eventHandlers(events: EventStore, secret: SharedSecret): HandlersFor<'events.list' | 'events.get'> {
  return {
    'events.list': async (context) => {
      const { accountId, scopes } = context.caller;
      let release = headRelease;
      const data = await answerPage(
        context,
        secret,
        order,
        async (request) => {
          const found = await events.list(accountId, filtersOf(context), context.visibility, request);
          release = found.rows[0]?.headRelease ?? headRelease;
          // All events of a page have one shape: the page ends before an event written at another release.
          const end = found.rows.findIndex((row) => row.headRelease !== release);
          return end < 0 ? found : { ...found, rowsMax: end };
        },
        (row) => toVisible(row, scopes),
      );
      return { data, headers: writtenAt(release) };
    },
    'events.get': async (context) => {
      const { caller, params } = context;
      const row = await events.find(caller.accountId, params.event_id, context.visibility);
      if (!row) throw context.refusal('not_found');
      return { data: toVisible(row, caller.scopes), headers: writtenAt(row.headRelease) };
    },
  };
}

/** Tells the gateway at which release translation begins, when that is not head. */
function writtenAt(release: string): Readonly<Record<string, string>> {
  return release === headRelease ? {} : { [HEAD_RELEASE_HEADER]: release };
}

const order: Ordering<EventRow> = {
  fields: {
    timestamp: { column: 'e.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    id: { column: 'e.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-timestamp',
  unique: 'id',
};

const filterNames: FilterNames<EventFilters> = [
  ['type', 'kind'],
  ['object_id', 'objectId'],
  ['patient_id', 'patientId'],
];

/** A key without the scope to read an object still learns that something happened to it. */
function toVisible(row: EventRow, scopes: readonly string[]): Event {
  return toEvent(mayRead(scopes, row.kind) ? row : { ...row, document: null });
}

function filtersOf({ query }: ContextOf<'events.list'>): EventFilters {
  return readFilters(query, filterNames, []);
}
