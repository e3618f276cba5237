import { readFileSync } from 'node:fs';
import type { Vitals } from '../../knowledge/types.ts';
import type { AnalysisInput } from './types.ts';
import { implausibleReadings } from './vitals.ts';

const VITALS: Vitals = JSON.parse(readFileSync(new URL('../../knowledge/vitals.json', import.meta.url), 'utf8'));

/**
 * Vital signs that cannot be true, for the route to refuse with 422.
 * @returns an RFC 6901 pointer into the request and a stable code per fault; empty when all is plausible.
 */
export function checkPlausibility(input: AnalysisInput): { pointer: string; code: string }[] {
  return implausibleReadings(VITALS, input);
}
