import type { Evidence, EvidenceCitation } from '@perennial/schemas/resources/analysis.ts';
import { careOf, isCitable } from './care.ts';
import { Signed } from './review/signed.ts';
import type { Condition, Knowledge, RedFlag, Source, Treatment } from './types.ts';

/** How well a statement is supported. */
export type EvidenceGrade = Evidence['grade'];

/** What the entries of the knowledge base rest on: a document or an estimate, and who has signed them. */
export class EvidenceBase {
  readonly #citations: ReadonlyMap<string, EvidenceCitation>;
  readonly #signed: Signed;

  constructor(knowledge: Pick<Knowledge, 'sources' | 'sign_offs'>) {
    this.#citations = new Map(knowledge.sources.filter(isCitable).map((source) => [source.id, citationOf(source)]));
    this.#signed = new Signed(knowledge);
  }

  ofCondition(condition: Condition): Evidence {
    return this.#evidence(condition.sources, this.#signed.of('condition', condition).length);
  }

  ofRedFlag(flag: RedFlag): Evidence {
    return this.#evidence([flag.source], this.#signed.of('red_flag', flag).length);
  }

  /** Of a treatment for a condition, which rests on both. */
  ofCare(condition: Condition, treatment: Treatment): Evidence {
    const { source } = careOf(condition, treatment);
    const signed = Math.min(
      this.#signed.of('condition', condition).length,
      this.#signed.of('treatment', treatment).length,
    );
    return this.#evidence(source === null ? [] : [source], signed);
  }

  /** Of a treatment as such. */
  ofTreatment({ source }: Treatment): EvidenceGrade {
    return source !== undefined && this.#citations.has(source) ? 'published' : 'estimate';
  }

  /** The first document that can be found counts. */
  #evidence(sources: readonly string[], signed: number): Evidence {
    const citation = sources.map((id) => this.#citations.get(id)).find((each) => each !== undefined) ?? null;
    return { grade: citation === null ? 'estimate' : 'published', citation, sign_offs: signed };
  }
}

function citationOf({ title, organisation, year, identifier, url }: Source): EvidenceCitation {
  return { title, publisher: organisation ?? '', year: year ?? 0, identifier: identifier ?? '', url };
}
