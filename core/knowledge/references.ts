import type { MedicationKnowledge } from '../medications/types.ts';
import type { Knowledge } from './types.ts';

/** Sentences naming every id that is used and not defined, defined twice, or part of a circle of implications. */
export function findDanglingReferences(knowledge: Knowledge): string[] {
  const faults: string[] = [];
  const findings = idsOf('finding', knowledge.findings, faults);
  const conditions = idsOf('condition', knowledge.conditions, faults);
  const treatments = idsOf('treatment', knowledge.treatments, faults);
  const sources = idsOf('source', knowledge.sources, faults);
  idsOf('red flag', knowledge.red_flags, faults);
  idsOf('guideline', knowledge.guidelines, faults);

  const need = (known: Set<string>, where: string, kind: string, used: string[]): void => {
    for (const id of used) if (!known.has(id)) faults.push(`${where} refers to the unknown ${kind} "${id}"`);
  };
  for (const finding of knowledge.findings) need(findings, `finding ${finding.id}`, 'finding', finding.implies);
  for (const condition of knowledge.conditions) {
    const where = `condition ${condition.id}`;
    const used = [...condition.findings, ...condition.risk_factors].map((likelihood) => likelihood.finding);
    need(findings, where, 'finding', used);
    for (const id of used.filter((one, index) => used.indexOf(one) !== index))
      faults.push(`${where} lists ${id} twice`);
    need(treatments, where, 'treatment', condition.treatments);
    need(sources, where, 'source', [...condition.sources, condition.incidence.source]);
    for (const [treatment, { source }] of Object.entries(condition.care ?? {})) {
      need(new Set(condition.treatments), where, 'treatment among its own', [treatment]);
      need(sources, `${where}, ${treatment}`, 'source', source === undefined ? [] : [source]);
    }
  }
  for (const flag of knowledge.red_flags) {
    need(findings, `red flag ${flag.id}`, 'finding', [...flag.when.flat(), ...flag.unless]);
    need(sources, `red flag ${flag.id}`, 'source', [flag.source]);
  }
  for (const treatment of knowledge.treatments) {
    need(findings, `treatment ${treatment.id}`, 'finding', treatment.contraindications);
    need(sources, `treatment ${treatment.id}`, 'source', treatment.source === undefined ? [] : [treatment.source]);
  }
  for (const guideline of knowledge.guidelines) {
    const where = `guideline ${guideline.id}`;
    need(conditions, where, 'condition', guideline.conditions);
    need(treatments, where, 'treatment', guideline.treatments);
    need(sources, where, 'source', guideline.sources);
    need(
      new Set(guideline.sources),
      where,
      'source among its own',
      guideline.recommendations.flatMap(({ source }) => source ?? []),
    );
  }
  for (const { language, says } of knowledge.danger) {
    for (const { finding, source } of says) {
      need(findings, `danger words of ${language}`, 'finding', [finding]);
      need(sources, `danger words of ${language}`, 'source', [source]);
    }
  }
  for (const { language, sources: used } of knowledge.languages) need(sources, `language ${language}`, 'source', used);
  for (const rule of knowledge.vitals.rules) need(findings, 'vitals.json', 'finding', [rule.finding]);
  faults.push(...circles(knowledge));
  return faults;
}

/** Sentences naming every class and substance that an entry refers to and the medication knowledge does not have. */
export function findDanglingMedications(knowledge: Knowledge, medications: MedicationKnowledge): string[] {
  const faults: string[] = [];
  const combinations = new Set(medications.combinations.map(({ id }) => id));
  const substance = (where: string, ids: readonly string[]): void => {
    for (const id of ids)
      if (!medications.byId.has(id) && !combinations.has(id))
        faults.push(`${where} refers to the unknown medication "${id}"`);
  };
  const either = (where: string, ids: readonly string[] = []): void => {
    for (const id of ids)
      if (!medications.byId.has(id) && !medications.classes.has(id))
        faults.push(`${where} must never be given with the unknown medication or class "${id}"`);
  };
  for (const { id, care } of knowledge.conditions)
    for (const [treatment, { never_with: never }] of Object.entries(care ?? {}))
      either(`condition ${id}, ${treatment}`, never);
  for (const { id, uses, never_with: never } of knowledge.treatments) {
    either(`treatment ${id}`, never);
    substance(`treatment ${id}`, uses?.substances ?? []);
    for (const each of uses?.classes ?? [])
      if (!medications.classes.has(each))
        faults.push(`treatment ${id} refers to the unknown class of medications "${each}"`);
  }
  for (const { id, medications: named } of knowledge.guidelines) substance(`guideline ${id}`, named);
  return faults;
}

/** The ids of a kind; an id defined twice is a fault. */
function idsOf(kind: string, entries: { id: string }[], faults: string[]): Set<string> {
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) faults.push(`${kind} "${id}" is defined twice`);
    seen.add(id);
  }
  return seen;
}

/** Findings that imply themselves by way of others: reading would never end. */
function circles(knowledge: Knowledge): string[] {
  const implies = new Map(knowledge.findings.map((finding) => [finding.id, finding.implies]));
  const reaches = (from: string, target: string, seen: Set<string>): boolean =>
    (implies.get(from) ?? []).some((next) => {
      if (next === target) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, target, seen);
    });
  return knowledge.findings
    .filter((finding) => reaches(finding.id, finding.id, new Set()))
    .map((finding) => `finding ${finding.id} implies itself`);
}
