import type { RecordId } from '@perennial/schemas/platform/ids.ts';
import type { MedicationInput } from './resolve.ts';

/** One entry of the list and where it comes from. */
export interface ListEntry {
  readonly input: MedicationInput;
  readonly origin: 'request' | 'record';
  readonly recordId: RecordId | null;
}

interface Identified {
  readonly id: string;
}

/** The substances of one medication, whatever it is called. */
export function keyOf(substances: readonly Identified[]): string {
  return substances
    .map(({ id }) => id)
    .sort()
    .join('+');
}

/** The substances of both sides, whichever comes first: every name of the same pair has the same key. */
export function pairKey(a: readonly Identified[], b: readonly Identified[]): string {
  return [a, b].map(keyOf).sort().join('|');
}
