import type { InteractionCheckRequest, MedicationResolveRequest } from '@perennial/schemas/resources/medication.ts';
import type { Handlers } from '../http/operations.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { toOverride } from './answer.ts';
import type { OverrideRow } from './override-store.ts';
import type { MedicationService, OverrideWrite } from './service.ts';

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function medicationHandlers(medications: MedicationService, secret: string): Handlers {
  return {
    'medications.checkInteractions': async ({ caller, body }) => ({
      data: await medications.check(caller, body as InteractionCheckRequest),
    }),
    'medications.resolve': async ({ body }) => ({
      data: medications.resolve((body as MedicationResolveRequest).medications),
    }),
    'interactionOverrides.create': async ({ caller, body }) => {
      const row = await medications.override(caller, body as OverrideWrite);
      return { data: toOverride(row), headers: { location: `/medications/interactions/overrides/${row.id}` } };
    },
    'interactionOverrides.list': async (context) => {
      const { caller, query } = context;
      const patientId = typeof query['patient_id'] === 'string' ? query['patient_id'] : undefined;
      const data = await answerPage(
        context,
        secret,
        order,
        (request) => medications.listOverrides(caller.accountId, patientId, request),
        toOverride,
      );
      return { data };
    },
    'interactionOverrides.get': async ({ caller, params }) => ({
      data: toOverride(await medications.getOverride(caller.accountId, params['override_id'] as string)),
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
