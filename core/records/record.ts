import { isDeepStrictEqual } from 'node:util';
import type { AccountId, PatientId, RecordId } from '@perennial/schemas/platform/ids.ts';
import { isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { MedicalRecord, RecordType } from '@perennial/schemas/resources/record.ts';
import { complete, resourceSchema } from '../platform/json-documents.ts';
import { toCanonical } from './units.ts';

/** What a caller can write, one value per column. */
export interface RecordFields {
  readonly type: RecordType;
  readonly status: string;
  readonly code: JsonObject | null;
  /** Members of the type's own, named as in the contract. */
  readonly content: JsonObject;
  readonly effectiveAt: Date | null;
  readonly author: string | null;
}

/** A record as stored. */
export interface RecordRow extends RecordFields {
  readonly id: RecordId;
  readonly accountId: AccountId;
  readonly patientId: PatientId;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Body of create and replace, as validated: `MedicalRecord.create`. */
export type RecordWrite = JsonObject & { readonly type: RecordType; readonly status: string };

const union = resourceSchema('MedicalRecord').discriminator?.mapping ?? {};

/** The schema of a type. */
export function schemaOfType(type: RecordType): JsonSchema {
  return resourceSchema(union[type] as string);
}

/** Members that have a column of their own; the rest is content. */
const ownColumns = new Set(['type', 'status', 'code', 'effective_at', 'author']);

/** The record as answered. Every key is there, in the contract's order. */
export function toRecord(row: RecordRow): MedicalRecord {
  const written = toDocument(row);
  const record: JsonObject = {};
  for (const [name, member] of Object.entries(schemaOfType(row.type).properties ?? {})) {
    record[name] = member.readOnly ? readOnlyMember(name, row) : written[name];
  }
  if (row.type === 'observation') record['components'] = componentsOf(row, written['components']);
  return record as MedicalRecord;
}

function readOnlyMember(name: string, row: RecordRow): unknown {
  switch (name) {
    case 'id':
      return row.id;
    case 'patient_id':
      return row.patientId;
    case 'created_at':
      return row.createdAt.toISOString();
    case 'updated_at':
      return row.updatedAt.toISOString();
    case 'canonical':
      return toCanonical(
        textOf(row.code?.['system']),
        textOf(row.code?.['code']),
        textOrNull(row.content['value']),
        textOrNull(row.content['unit']),
      );
    default:
      throw new Error(`nothing gives the value of ${row.type}.${name}`);
  }
}

function componentsOf(row: RecordRow, components: unknown): readonly JsonObject[] {
  return (Array.isArray(components) ? components : []).filter(isObject).map((component) => ({
    ...component,
    canonical: toCanonical(
      textOf(component['system'] ?? row.code?.['system']),
      textOf(component['code']),
      textOrNull(component['value']),
      textOrNull(component['unit']),
    ),
  }));
}

/** What a caller could have written to get this record: every writable member, in the contract's order. */
export function toDocument(fields: RecordFields): JsonObject {
  return complete(schemaOfType(fields.type), {
    ...fields.content,
    type: fields.type,
    status: fields.status,
    code: fields.code,
    effective_at: fields.effectiveAt?.toISOString() ?? null,
    author: fields.author,
  });
}

/** The columns of a whole record; what is absent is null. Instants are kept in UTC. */
export function fromWrite(body: RecordWrite): RecordFields {
  const document = complete(schemaOfType(body.type), body);
  if (typeof document['ended_at'] === 'string') document['ended_at'] = new Date(document['ended_at']).toISOString();
  const effectiveAt = document['effective_at'];
  return {
    type: body.type,
    status: body.status,
    code: isObject(document['code']) ? document['code'] : null,
    content: Object.fromEntries(Object.entries(document).filter(([name]) => !ownColumns.has(name))),
    effectiveAt: typeof effectiveAt === 'string' ? new Date(effectiveAt) : null,
    author: textOrNull(document['author']),
  };
}

/** The members in which two states of a record differ, in the contract's order. */
export function changedFields(before: RecordFields, after: RecordFields): readonly string[] {
  const [old, now] = [toDocument(before), toDocument(after)];
  return Object.keys(now).filter((name) => !isDeepStrictEqual(old[name], now[name]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
