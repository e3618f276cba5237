import type { Knowledge } from '../types.ts';
import type { SignedKind } from './signed.ts';

/** Where an entry is used: what changes when it does. */
export interface User {
  readonly entry: string;
  readonly how: string;
}

/** Everything that uses an entry, in the order of the files. */
export function usersOf(knowledge: Knowledge, kind: SignedKind, id: string): readonly User[] {
  const users: User[] = [];
  const add = (entry: string, how: string): void => {
    users.push({ entry, how });
  };
  switch (kind) {
    case 'treatment':
      for (const { id: condition, treatments } of knowledge.conditions)
        if (treatments.includes(id))
          add(`condition:${condition}`, `treatment ${treatments.indexOf(id) + 1} of ${treatments.length}`);
      for (const guideline of knowledge.guidelines)
        if (guideline.treatments.includes(id)) add(`guideline:${guideline.id}`, 'speaks of it');
      break;
    case 'condition':
      for (const guideline of knowledge.guidelines)
        if (guideline.conditions.includes(id)) add(`guideline:${guideline.id}`, 'covers it');
      break;
    case 'finding':
      for (const { id: condition, findings, risk_factors } of knowledge.conditions)
        for (const { finding, p } of [...findings, ...risk_factors])
          if (finding === id) add(`condition:${condition}`, `likelihood ${p}`);
      for (const flag of knowledge.red_flags) {
        if (flag.when.flat().includes(id)) add(`red_flag:${flag.id}`, 'raises it');
        if (flag.unless.includes(id)) add(`red_flag:${flag.id}`, 'cancels it');
      }
      for (const finding of knowledge.findings)
        if (finding.implies.includes(id)) add(`finding:${finding.id}`, 'implies it');
      for (const treatment of knowledge.treatments)
        if (treatment.contraindications.includes(id)) add(`treatment:${treatment.id}`, 'contraindication');
      break;
    case 'red_flag':
    case 'guideline':
      break;
  }
  return users;
}
