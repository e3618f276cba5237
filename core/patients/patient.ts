import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import type { AccountId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';

/** A patient as stored. */
export interface PatientRow extends PatientFields {
  readonly id: PatientId;
  readonly accountId: AccountId;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller can write, one value per column. */
export interface PatientFields {
  readonly name: string;
  /** Midnight UTC of the day. */
  readonly dob: Date;
  readonly sex: string | null;
  readonly genderIdentity: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly preferredMethod: string | null;
}

/** Body of create and replace, as validated. */
export type PatientWrite = BodyAt<'Patient.create'>;

/** Body of update, as validated. */
export type PatientPatch = BodyAt<'Patient.patch'>;

/** The patient as answered. Every key is there, in the contract's order. */
export function toPatient(row: PatientRow): Patient {
  return {
    id: row.id,
    name: row.name,
    dob: toDay(row.dob),
    // The column holds only what validation let through.
    sex: row.sex as Patient['sex'],
    gender_identity: row.genderIdentity,
    contact_info: {
      email: row.email,
      phone: row.phone,
      preferred_method: row.preferredMethod as Patient['contact_info']['preferred_method'],
    },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The columns of a whole patient; what is absent is null. */
export function fromWrite(body: PatientWrite): PatientFields {
  return {
    name: body.name,
    dob: fromDay(body.dob),
    sex: body.sex ?? null,
    genderIdentity: body.gender_identity ?? null,
    email: body.contact_info?.email ?? null,
    phone: body.contact_info?.phone ?? null,
    preferredMethod: body.contact_info?.preferred_method ?? null,
  };
}

/** The columns after a merge patch (RFC 7396): absent keeps, null clears, null on `contact_info` clears its members. */
export function applyPatch(fields: PatientFields, patch: PatientPatch): PatientFields {
  const contact = patch.contact_info === null ? clearedContact : (patch.contact_info ?? {});
  return {
    name: patch.name ?? fields.name,
    dob: patch.dob === undefined ? fields.dob : fromDay(patch.dob),
    sex: written(patch.sex, fields.sex),
    genderIdentity: written(patch.gender_identity, fields.genderIdentity),
    email: written(contact.email, fields.email),
    phone: written(contact.phone, fields.phone),
    preferredMethod: written(contact.preferred_method, fields.preferredMethod),
  };
}

/** Columns by the paths of the fields they hold, in the contract's order. */
const paths: readonly (readonly [string, keyof PatientFields])[] = [
  ['name', 'name'],
  ['dob', 'dob'],
  ['sex', 'sex'],
  ['gender_identity', 'genderIdentity'],
  ['contact_info.email', 'email'],
  ['contact_info.phone', 'phone'],
  ['contact_info.preferred_method', 'preferredMethod'],
];

/** Paths of the fields in which two states differ; of those that are set when there was no state before. */
export function changedFields(before: PatientFields | undefined, after: PatientFields): readonly string[] {
  const value = (fields: PatientFields | undefined, column: keyof PatientFields): unknown => {
    const held = fields?.[column] ?? null;
    return held instanceof Date ? held.getTime() : held;
  };
  return paths.filter(([, column]) => value(before, column) !== value(after, column)).map(([path]) => path);
}

/** `YYYY-MM-DD` of a stored day. */
export function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

const clearedContact = { email: null, phone: null, preferred_method: null } as const;

function written(given: string | null | undefined, stored: string | null): string | null {
  return given === undefined ? stored : given;
}

function fromDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
