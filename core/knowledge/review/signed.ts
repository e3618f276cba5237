import { createHash } from 'node:crypto';
import type { Knowledge } from '../types.ts';

/** Kinds of entries that a clinician signs. */
export const SIGNED_KINDS = ['red_flag', 'condition', 'treatment', 'guideline', 'finding'] as const;
export type SignedKind = (typeof SIGNED_KINDS)[number];

/** An entry has room for two. */
export const SIGN_OFFS_MAX = 2;

/** What a clinician has said of an entry, as it stood. */
export interface SignOff {
  /** The kind, a colon and the id. */
  entry: string;
  /** The version of the entry that was read; of another version it says nothing. */
  version: string;
  name: string;
  /** Profession and registration, as the reviewer writes it. */
  role: string;
  /** Day, `YYYY-MM-DD`. */
  on: string;
  note?: string;
}

/** An entry's version: the first 48 bits of a hash of all that it says, so that no edit goes unnoticed. */
export function versionOf(entry: object): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 12);
}

/** The entries of a kind. */
export function entriesOf(knowledge: Knowledge, kind: SignedKind): readonly { readonly id: string }[] {
  switch (kind) {
    case 'red_flag':
      return knowledge.red_flags;
    case 'condition':
      return knowledge.conditions;
    case 'treatment':
      return knowledge.treatments;
    case 'guideline':
      return knowledge.guidelines;
    case 'finding':
      return knowledge.findings;
  }
}

/** How many have signed entries as they stand now. An entry is hashed when it has sign-offs at all. */
export class Signed {
  readonly #byEntry = new Map<string, SignOff[]>();

  constructor({ sign_offs: signOffs }: Pick<Knowledge, 'sign_offs'>) {
    for (const each of signOffs) {
      const known = this.#byEntry.get(each.entry);
      if (known) known.push(each);
      else this.#byEntry.set(each.entry, [each]);
    }
  }

  /** The sign-offs that hold, each person's counted once. */
  of(kind: SignedKind, entry: { readonly id: string }): readonly SignOff[] {
    const all = this.#byEntry.get(`${kind}:${entry.id}`);
    if (!all) return [];
    const version = versionOf(entry);
    const names = new Set<string>();
    return all
      .filter((each) => each.version === version && !names.has(each.name) && names.add(each.name))
      .slice(0, SIGN_OFFS_MAX);
  }
}
