import {
  checkInteractions,
  type InteractionCheck,
  type PairJudgement,
} from '../../../core/medications/interactions.ts';
import { loadMedications } from '../../../core/medications/load.ts';
import type { PatientContext } from '../../../core/medications/patient.ts';

/** Loaded once per test file: nothing changes it. */
export const knowledge = loadMedications();

export function check(names: readonly string[], patient?: PatientContext): InteractionCheck {
  return checkInteractions(knowledge, {
    medications: names.map((name) => ({ name })),
    ...(patient ? { patient } : {}),
  });
}

export function pairOf(a: string, b: string): PairJudgement {
  const [pair] = check([a, b]).pairs;
  if (!pair) throw new Error('two medications make one pair');
  return pair;
}
