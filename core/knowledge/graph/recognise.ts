import type { GraphRecognized } from '@perennial/schemas/resources/knowledge-graph.ts';
import { resolveMedication } from '../../medications/resolve.ts';
import type { Catalogue, Item } from '../catalogue.ts';
import { tokensOf } from '../search/fold.ts';
import type { GraphRecord } from './records-store.ts';
import { plainCode } from './statements.ts';

/** What a record stands for. */
export interface Recognition {
  readonly record: GraphRecord;
  readonly items: readonly Item[];
  readonly matchedBy: GraphRecognized['matched_by'];
}

type Found = Pick<Recognition, 'items' | 'matchedBy'>;

const ICD10 = /^(https?:\/\/hl7\.org\/fhir\/sid\/icd-10(-[a-z]+)?|urn:oid:2\.16\.840\.1\.113883\.6\.(3|90))$/;
/** What classifications add to a name without changing what it is: "Asthma (disorder)", "Asthma, unspecified". */
const ADDED =
  /\s*\((disorder|finding|situation|disease|diagnosis)\)\s*$|,?\s+unspecified\s*$|,\s*not otherwise specified$/i;
/** Characters of a three-character category of ICD-10. */
const CATEGORY = 3;

/**
 * Finds what records stand for: conditions by ICD-10, or else by the words of any other code system; medications by ATC,
 * RxNorm or name; allergies by the substance. Never guesses: words must be those of a name or synonym, and a code that
 * several conditions have stands for all of them unless the words, or the order of their codes, say which.
 */
export class Recogniser {
  readonly #catalogue: Catalogue;
  readonly #byCode = new Map<string, Item[]>();
  readonly #byName: ReadonlyMap<string, Item>;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    for (const { id, icd10 } of catalogue.knowledge.conditions) {
      const item = catalogue.item('condition', id) as Item;
      for (const code of icd10) {
        const key = plainCode(code);
        this.#byCode.set(key, [...(this.#byCode.get(key) ?? []), item]);
      }
    }
    this.#byName = namesOf(catalogue);
  }

  /** What a record stands for, or undefined. */
  recognise(record: GraphRecord): Recognition | undefined {
    const system = text(record.code?.['system']);
    const code = text(record.code?.['code']);
    const display = text(record.code?.['display']);
    if (record.type === 'condition') return this.#condition(record, system, code, display);
    const name = (record.type === 'allergy' && text(record.content['substance'])) || display;
    const { medication, substances } = resolveMedication(this.#catalogue.medicationKnowledge, {
      ...(name ? { name } : {}),
      ...(code ? { code: { system, code } } : {}),
    });
    if (medication.status !== 'resolved') return undefined;
    const items = substances.map(({ id }) => this.#catalogue.item('medication', id) as Item);
    return { record, items, matchedBy: medication.match === 'code' ? 'code' : 'name' };
  }

  #condition(record: GraphRecord, system: string, code: string, display: string): Recognition | undefined {
    if (ICD10.test(system)) {
      const found = this.#byIcd10(plainCode(code));
      if (found) return { record, ...this.#narrowed(found, plainCode(code), display) };
    }
    const named = this.#byName.get(keyOf(display.replace(ADDED, '')));
    return named && { record, items: [named], matchedBy: 'name' };
  }

  #byIcd10(code: string): Found | undefined {
    // The code itself, then the codes above it, nearest first.
    for (let length = code.length; length >= CATEGORY; length--) {
      const items = this.#byCode.get(code.slice(0, length));
      if (items) return { items, matchedBy: 'code' };
    }
    // Codes below it, or beside it: only where they all are one condition's.
    const [below, beside] = [code, code.slice(0, CATEGORY)].map((prefix) => this.#under(prefix)) as [Item[], Item[]];
    if (below.length === 1) return { items: below, matchedBy: 'code' };
    return below.length === 0 && beside.length === 1 ? { items: beside, matchedBy: 'code_category' } : undefined;
  }

  /**
   * Which of several conditions with one code is meant: the one that the words name, or else those whose first code it
   * is. Hypertension and its emergency are both I10, and only the first of them is what I10 says.
   */
  #narrowed(found: Found, code: string, display: string): Found {
    if (found.items.length === 1) return found;
    const named = this.#byName.get(keyOf(display.replace(ADDED, '')));
    if (named && found.items.includes(named)) return { ...found, items: [named] };
    const first = found.items.filter(({ codes }) => code.startsWith(plainCode(codes[0]?.code ?? '-')));
    return first.length === 0 ? found : { ...found, items: first };
  }

  #under(prefix: string): Item[] {
    const items = new Set<Item>();
    for (const [code, each] of this.#byCode) if (code.startsWith(prefix)) for (const item of each) items.add(item);
    return [...items];
  }
}

/** Entries by name: a name that is both a disease's and a finding's means the disease, and a synonym of two means neither. */
function namesOf(catalogue: Catalogue): ReadonlyMap<string, Item> {
  const { conditions, findings } = catalogue.knowledge;
  const byName = new Map<string, Item>();
  for (const { id, name } of findings) byName.set(keyOf(name), catalogue.item('finding', id) as Item);
  const meant = new Map<string, Set<string>>();
  for (const { id, synonyms } of conditions)
    for (const key of new Set(synonyms.map(keyOf))) meant.set(key, (meant.get(key) ?? new Set<string>()).add(id));
  for (const [key, [id, ...others]] of meant)
    if (id !== undefined && others.length === 0) byName.set(key, catalogue.item('condition', id) as Item);
  for (const { id, name } of conditions) byName.set(keyOf(name), catalogue.item('condition', id) as Item);
  return byName;
}

function keyOf(name: string): string {
  return tokensOf(name).join(' ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
