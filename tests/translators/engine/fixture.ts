import type { Contract } from '@perennial/schemas/contract.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Change, ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { CatalogueInvalid } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';

/** Small contracts for tests of the engine, independent of what is shipped. */

/** The oldest release of every fixture. */
export const BASE = '2020-01-01';

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };

/** An object schema; every member is required unless it is listed as optional. */
export function object(
  $id: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return { $id, ...inline(properties, optional) };
}

/** An object schema that belongs to the one around it. */
export function inline(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** `GET /<id>` that answers `ref`. */
export function reading(id: string, ref: string, more: Partial<Operation> = {}): Operation {
  return {
    id,
    method: 'GET',
    path: `/${id}`,
    category: 'test',
    summary: id,
    scope: 'patients:read',
    parameters: [],
    response: { status: 200, description: id, ref },
    errors: [],
    ...more,
  };
}

/** `POST /<id>` that takes `body` and answers `ref`. */
export function writing(id: string, body: string, ref: string, more: Partial<Operation> = {}): Operation {
  return reading(id, ref, { method: 'POST', body: { ref: body, mediaType: 'application/json' }, ...more });
}

/** A contract of these resources besides pages and errors. */
export function contractOf(resources: readonly JsonSchema[], operations: readonly Operation[]): Contract {
  const common = ['Page', 'ErrorBody', 'ErrorDetail'].map((name) => head.resources.get(name) as JsonSchema);
  return {
    resources: new Map([...common, ...resources].map((schema) => [schema.$id as string, schema])),
    operations,
  };
}

/** A history of the base release and these. */
export function historyOf(ids: readonly string[]): History {
  return {
    today: '2023-11-01',
    releases: [BASE, ...ids].map((id, index) => ({ id, semver: `1.${index}.0`, released: id })),
  };
}

/** One release of these changes. */
export function release(id: string, ...changes: readonly Change[]): ReleaseChanges {
  return { id, changes };
}

/** A translator whose history has exactly these releases. */
export function translatorOf(contract: Contract, ...releases: readonly ReleaseChanges[]): Translator {
  return createTranslator(contract, historyOf(releases.map(({ id }) => id)), releases);
}

/** The plan, which must exist. */
export function planOf(translator: Translator, operation: string, version: string = BASE): Plan {
  const plan = translator.plan(version, operation);
  if (!plan) throw new Error(`v${version} has no ${operation}`);
  return plan;
}

/** The faults for which a catalogue is refused; empty when it is not. */
export function faultsOf(make: () => unknown): readonly string[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof CatalogueInvalid) return error.faults;
    throw error;
  }
}
