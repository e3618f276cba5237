import type { ErrorCode } from '../errors.ts';
import { defineOperations } from '../operation.ts';
import { filter, listParameters, pathId } from './parameters.ts';

/** The release whose changelog lists drug interaction checking (specification, section 9.4). */
const since = '2022-11-15';
const overrides = '/medications/interactions/overrides';
const bodyErrors = [
  'body_malformed',
  'body_too_large',
  'media_type_unsupported',
  'validation_failed',
] as const satisfies readonly ErrorCode[];

/** Drug interaction checking. */
export const medicationOperations = defineOperations([
  {
    id: 'medications.checkInteractions',
    method: 'POST',
    path: '/medications/interactions',
    category: 'diagnostics',
    summary: 'Check a medication list for interactions',
    scope: 'diagnostics:write',
    since,
    parameters: [],
    body: { ref: 'InteractionCheckRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'Every pair and the whole list judged.', ref: 'InteractionCheck' },
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'medications.resolve',
    method: 'POST',
    path: '/medications/resolve',
    category: 'knowledge',
    summary: 'Identify medications by name or code',
    scope: 'knowledge:read',
    since,
    parameters: [],
    body: { ref: 'MedicationResolveRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'How each was understood.', ref: 'MedicationResolution' },
    errors: bodyErrors,
  },
  {
    id: 'interactionOverrides.create',
    method: 'POST',
    path: overrides,
    category: 'diagnostics',
    summary: 'Record that an interaction was overridden, and why',
    scope: 'diagnostics:write',
    since,
    parameters: [],
    body: { ref: 'InteractionOverride.create', mediaType: 'application/json' },
    response: { status: 201, description: 'The override recorded; Location names it.', ref: 'InteractionOverride' },
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'interactionOverrides.list',
    method: 'GET',
    path: overrides,
    category: 'diagnostics',
    summary: 'List recorded overrides',
    scope: 'diagnostics:read',
    since,
    parameters: [
      ...listParameters('InteractionOverride', ['created_at']),
      filter('InteractionOverride', 'patient_id', 'Patient they hold for.', {
        type: 'string',
        minLength: 1,
        maxLength: 80,
      }),
    ],
    response: { status: 200, description: 'A page of overrides.', ref: 'InteractionOverride.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'interactionOverrides.get',
    method: 'GET',
    path: `${overrides}/{override_id}`,
    category: 'diagnostics',
    summary: 'Get a recorded override',
    scope: 'diagnostics:read',
    since,
    parameters: [pathId('override_id', 'Override identifier.')],
    response: { status: 200, description: 'The override.', ref: 'InteractionOverride' },
    errors: ['not_found'],
  },
]);
