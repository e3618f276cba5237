import type { InteractionMatrix } from '@perennial/schemas/resources/medication-views.ts';
import type { InteractionCheck, MedicationReference } from './interactions.ts';
import { severityRank } from './judge.ts';
import type { Severity } from './types.ts';

/** Most findings told in plain language; the rest is counted. */
const TOLD_MAX = 12;
const CHARACTERS_MAX = 20_000;

/** The pairs as a table: rows and columns in the order of the list. */
export function toMatrix(check: InteractionCheck): InteractionMatrix {
  const severities: (Severity | null)[][] = check.medications.map(() => check.medications.map(() => null));
  const put = (row: number, column: number, severity: Severity): void => {
    const cells = severities[row];
    if (cells) cells[column] = severity;
  };
  for (const { a, b, severity } of check.pairs) {
    put(a.index, b.index, severity);
    put(b.index, a.index, severity);
  }
  return { names: check.medications.map((_, index) => nameAt(check, index)), severities };
}

const IN_WORDS: Readonly<Record<Severity, string>> = {
  contraindicated: 'Must not be taken together',
  major: 'Serious: ask a doctor or pharmacist before taking these together',
  moderate: 'Needs attention',
  unknown: 'Could not be checked',
  minor: 'Small',
  none_known: 'Nothing known',
};

/** A short text for people who take the medicines: the worst first, what can happen and what to do. */
export function toPlainText(check: InteractionCheck): string {
  const { summary } = check;
  const findings = [
    ...check.pairs.map((pair) => ({ ...pair, about: joined([pair.a, pair.b]) })),
    ...check.groups.map((group) => ({ ...group, about: joined(group.medications) })),
    ...check.duplicates
      .filter(({ kind }) => kind === 'substance')
      .map((duplicate) => ({ ...duplicate, about: joined(duplicate.medications) })),
    ...check.food.map((food) => ({ ...food, about: `${food.medication.name} and ${food.food}` })),
    ...check.patient_warnings.map((warning) => ({ ...warning, about: warning.medication.name })),
  ]
    .filter(({ severity }) => severityRank(severity) <= severityRank('moderate'))
    .sort((x, y) => severityRank(x.severity) - severityRank(y.severity));
  const open = check.unresolved.map(({ text }) => text).filter(Boolean);
  const lines = [
    findings.length === 0 && summary.complete
      ? 'No interaction of these medicines that needs attention is known.'
      : `${findings.length} ${findings.length === 1 ? 'finding needs' : 'findings need'} attention.`,
    ...findings
      .slice(0, TOLD_MAX)
      .map(({ severity, about, effect, management }) => `${IN_WORDS[severity]} — ${about}. ${effect} ${management}`),
    ...(findings.length > TOLD_MAX ? [`And ${findings.length - TOLD_MAX} more, less serious ones.`] : []),
    ...(open.length > 0 ? [`Not checked, because not understood or not covered: ${open.join(', ')}.`] : []),
    'Do not stop or change a medicine without asking. This does not replace a doctor or pharmacist.',
  ];
  return lines.join('\n').slice(0, CHARACTERS_MAX);
}

function nameAt({ medications }: InteractionCheck, index: number): string {
  const medication = medications[index];
  const resolved = medication?.status === 'resolved';
  return resolved
    ? medication.substances.map(({ name }) => name).join(' / ')
    : (medication?.input.name ?? medication?.input.code?.code ?? '');
}

const joined = (medications: readonly MedicationReference[]): string =>
  [...new Set(medications.map(({ name }) => name))].join(' and ');
