import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { HandlersFor } from '../platform/http/handler.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { toOverride } from './answer.ts';
import type { OverrideRow } from './override-store.ts';
import type { MedicationService } from './service.ts';

type MedicationOperationId = Extract<OperationId, `medications.${string}` | `interactionOverrides.${string}`>;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function medicationHandlers(
  medications: MedicationService,
  secret: SharedSecret,
): HandlersFor<MedicationOperationId> {
  return {
    'medications.checkInteractions': async ({ caller, body }) => ({
      data: await medications.check(caller, body),
    }),
    'medications.resolve': async ({ body }) => ({
      data: await medications.resolve(body.medications),
    }),
    'interactionOverrides.create': async ({ caller, body }) => {
      const row = await medications.override(caller, body);
      return { data: toOverride(row), headers: { location: `/medications/interactions/overrides/${row.id}` } };
    },
    'interactionOverrides.list': async (context) => {
      const { caller, query } = context;
      const data = await answerPage(
        context,
        secret,
        order,
        (request) => medications.listOverrides(caller.accountId, query.patient_id, request),
        toOverride,
      );
      return { data };
    },
    'interactionOverrides.get': async ({ caller, params }) => ({
      data: toOverride(await medications.getOverride(caller.accountId, params.override_id)),
    }),
  };
}

const order: Ordering<OverrideRow> = {
  fields: {
    created_at: { column: 'o.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    id: { column: 'o.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};
