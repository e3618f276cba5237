import type { Knowledge } from './types.ts';

/** What a language still lacks. */
export interface Lacks {
  /** Red flags that nothing said in it can raise: some group of their findings has no saying. */
  red_flags: string[];
  /** Findings that people can say and that have no saying in it. */
  findings: string[];
}

/** Groups of findings of which measurements alone tell need no words. */
const SPOKEN = new Set(['symptom', 'sign', 'history', 'time']);

/** What a language that is read by its sayings lacks, beside what the usual one has. */
export function lacksOf(knowledge: Knowledge, language: string): Lacks {
  const said = new Set(
    knowledge.danger.filter((one) => one.language === language).flatMap(({ says }) => says.map((one) => one.finding)),
  );
  // What a saying states holds for what it implies too.
  const byId = new Map(knowledge.findings.map((finding) => [finding.id, finding]));
  for (const id of said) for (const above of byId.get(id)?.implies ?? []) said.add(above);
  const isSpoken = (id: string): boolean => SPOKEN.has(byId.get(id)?.category ?? '');
  return {
    red_flags: knowledge.red_flags
      .filter(({ when }) => when.some((any) => any.some(isSpoken) && !any.some((id) => said.has(id))))
      .map(({ id }) => id),
    findings: knowledge.findings.filter(({ id }) => isSpoken(id) && !said.has(id)).map(({ id }) => id),
  };
}
