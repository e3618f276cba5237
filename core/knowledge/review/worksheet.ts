import { careOf } from '../care.ts';
import { EvidenceBase } from '../evidence.ts';
import type { Condition, Knowledge, RedFlag, Treatment } from '../types.ts';
import type { Listed } from './queue.ts';

/** A form in Markdown: each entry in words, with room for what the reviewer finds. */
export function worksheet(knowledge: Knowledge, entries: readonly Listed[]): string {
  const writer = new Writer(knowledge);
  return entries
    .map(({ entry, name, version, kind, id }) =>
      [
        `## ${name}`,
        '',
        `\`${entry}\`, version \`${version}\``,
        '',
        ...writer.lines(kind, id),
        '',
        '- [ ] right as it stands',
        '- [ ] to be mended:',
        '',
      ].join('\n'),
    )
    .join('\n');
}

class Writer {
  readonly #knowledge: Knowledge;
  readonly #evidence: EvidenceBase;
  readonly #treatments: ReadonlyMap<string, Treatment>;
  readonly #names: ReadonlyMap<string, string>;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.#evidence = new EvidenceBase(knowledge);
    this.#treatments = new Map(knowledge.treatments.map((each) => [each.id, each]));
    this.#names = new Map(knowledge.findings.map(({ id, name }) => [id, name]));
  }

  lines(kind: Listed['kind'], id: string): readonly string[] {
    const { conditions, red_flags: flags, guidelines, findings } = this.#knowledge;
    switch (kind) {
      case 'condition':
        return this.#condition(conditions.find((each) => each.id === id) as Condition);
      case 'red_flag':
        return this.#redFlag(flags.find((each) => each.id === id) as RedFlag);
      case 'treatment':
        return this.#treatment(this.#treatments.get(id) as Treatment);
      case 'guideline':
        return (guidelines.find((each) => each.id === id)?.recommendations ?? []).map(
          ({ text, strength }) => `- ${text} (${strength})`,
        );
      case 'finding': {
        const { base_rate: rate = 0, synonyms = [] } = findings.find((each) => each.id === id) ?? {};
        return [`In ${rate * 100} % of patients. Said as: ${synonyms.join(', ')}.`];
      }
    }
  }

  #condition(condition: Condition): readonly string[] {
    const { summary, urgency, icd10, findings, risk_factors: risks, treatments } = condition;
    const finding = ({ finding: id, p }: { finding: string; p: number }): string => `${this.#name(id)} ${p}`;
    return [
      summary,
      '',
      `Urgency ${urgency}; ICD-10 ${icd10.join(', ')}; ${this.#cited(this.#evidence.ofCondition(condition))}.`,
      '',
      `Findings: ${findings.map(finding).join(', ')}.`,
      `History: ${risks.map(finding).join(', ')}.`,
      '',
      ...treatments.map((id) => this.#care(condition, this.#treatments.get(id) as Treatment)),
    ];
  }

  #care(condition: Condition, treatment: Treatment): string {
    const { line, for_whom: whom, purpose, dose, checks, never_with: never, despite } = careOf(condition, treatment);
    const parts = [
      `${line}: **${treatment.name}**`,
      whom && `for: ${whom}`,
      purpose,
      dose && `Dose: ${dose}`,
      checks.length > 0 && `Check: ${checks.join(' ')}`,
      never.length > 0 && `Never with: ${never.join(', ')}.`,
      despite && `Given all the same: ${despite.reason}`,
      `(${this.#cited(this.#evidence.ofCare(condition, treatment))})`,
    ];
    return `- ${parts.filter((each) => typeof each === 'string' && each !== '').join(' ')}`;
  }

  #redFlag(flag: RedFlag): readonly string[] {
    const groups = flag.when.map((group) => `(${group.map((id) => this.#name(id)).join(' or ')})`);
    return [
      `${flag.urgency}: ${groups.join(' and ')}`,
      `Ages ${flag.age_min_years ?? 0} to ${flag.age_max_years ?? 'any'}, sex ${flag.sex ?? 'any'}.`,
      `Says: ${flag.message}`,
      this.#cited(this.#evidence.ofRedFlag(flag)),
    ];
  }

  #treatment({ notes, purpose, dose, checks = [], never_with: never = [], uses }: Treatment): readonly string[] {
    return [
      [purpose, dose && `Dose: ${dose}`, notes].filter(Boolean).join(' '),
      `Given as: ${[...(uses?.substances ?? []), ...(uses?.classes ?? [])].join(', ')}. Check: ${checks.join(' ')} Never with: ${never.join(', ')}.`,
    ];
  }

  #cited({ grade, citation }: ReturnType<EvidenceBase['ofCondition']>): string {
    return citation === null
      ? grade
      : `${citation.title}, ${citation.publisher} ${citation.year}, ${citation.identifier}`;
  }

  #name(id: string): string {
    return this.#names.get(id) ?? id;
  }
}
