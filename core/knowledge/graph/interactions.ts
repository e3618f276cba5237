import { type Finding, judgeSubstances, severityRank } from '../../medications/judge.ts';
import type { MedicationKnowledge, RuleTable, Severity, Substance } from '../../medications/types.ts';
import type { Catalogue, Item } from '../catalogue.ts';
import type { Edge } from './types.ts';

/** Medications whose interactions are kept; the least recently asked for go first. */
const ROWS_MAX = 128;
/** What is worth a relationship: minor interactions would relate nearly everything. */
const WORTH: Severity = 'moderate';
/** What paths follow. */
const SEVERE: Severity = 'major';

/**
 * Interactions of one substance with all others, worked out when they are first asked for: all pairs would be a
 * hundred thousand relationships, for a graph of which most callers ask a few.
 */
export class Interactions {
  readonly #catalogue: Catalogue;
  readonly #rows = new Map<number, readonly Edge[]>();
  /** One bit for each rule that is worth a relationship: most pairs fire none of them. */
  readonly #worth: Uint32Array;
  #severe: ReadonlyMap<number, Uint32Array> | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#worth = rulesAsBadAs(catalogue.medicationKnowledge.rules, WORTH);
  }

  /** Interactions of a node, worst first; empty for whatever is no single substance. The node is `from`. */
  of(node: Item): readonly Edge[] {
    const known = this.#rows.get(node.index);
    if (known) {
      this.#rows.delete(node.index);
      this.#rows.set(node.index, known);
      return known;
    }
    const substance = this.#catalogue.medicationKnowledge.byId.get(node.id);
    if (node.kind !== 'medication' || !substance) return [];
    const row = this.#work(node, substance);
    this.#rows.set(node.index, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > ROWS_MAX && oldest !== undefined) this.#rows.delete(oldest);
    return row;
  }

  /** Works out every pair that is contraindicated or major, once: some hundred milliseconds. */
  prepareSevere(): void {
    this.#severe ??= this.#workSevere();
  }

  /** Nodes with which the node's interaction is contraindicated or major. */
  severeAt(node: number): Iterable<number> {
    this.prepareSevere();
    return this.#severe?.get(node) ?? [];
  }

  /** Whether two nodes interact, and how: the same as would be found in the row of the first. */
  between(a: Item, b: Item): Edge | undefined {
    const { byId } = this.#catalogue.medicationKnowledge;
    const x = byId.get(a.id);
    const y = byId.get(b.id);
    return x && y && x !== y ? this.#judge(a, x, b, y) : undefined;
  }

  /** What the rules say of two substances that interact, heaviest first. */
  explain(a: Item, b: Item): readonly Finding[] {
    const { medicationKnowledge: knowledge } = this.#catalogue;
    const x = knowledge.byId.get(a.id);
    const y = knowledge.byId.get(b.id);
    if (!x || !y) return [];
    return findingsOf(knowledge, x, y);
  }

  #work(node: Item, substance: Substance): Edge[] {
    const { medicationKnowledge } = this.#catalogue;
    const { substances, rules } = medicationKnowledge;
    const edges: Edge[] = [];
    for (const other of substances) {
      if (other === substance || !mayFire(rules, this.#worth, substance.index, other.index)) continue;
      const neighbour = this.#catalogue.item('medication', other.id) as Item;
      const edge = this.#judge(node, substance, neighbour, other);
      if (edge) edges.push(edge);
    }
    return edges.sort(
      (x, y) => severityRank(x.severity as Severity) - severityRank(y.severity as Severity) || x.to - y.to,
    );
  }

  #workSevere(): ReadonlyMap<number, Uint32Array> {
    const { substances, rules } = this.#catalogue.medicationKnowledge;
    const severe = rulesAsBadAs(rules, SEVERE);
    const nodes = substances.map(({ id }) => this.#catalogue.item('medication', id) as Item);
    const rows = nodes.map((): number[] => []);
    for (const [x, substance] of substances.entries()) {
      for (let y = x + 1; y < substances.length; y++) {
        if (!mayFire(rules, severe, x, y)) continue;
        const edge = this.#judge(nodes[x] as Item, substance, nodes[y] as Item, substances[y] as Substance);
        if (edge?.severity == null || severityRank(edge.severity) > severityRank(SEVERE)) continue;
        rows[x]?.push(edge.to);
        rows[y]?.push(edge.from);
      }
    }
    return new Map(rows.map((row, index) => [(nodes[index] as Item).index, Uint32Array.from(row)]));
  }

  #judge(a: Item, x: Substance, b: Item, y: Substance): Edge | undefined {
    const [top] = findingsOf(this.#catalogue.medicationKnowledge, x, y);
    if (!top || severityRank(top.severity) > severityRank(WORTH)) return undefined;
    const { severity, certainty, rule } = top;
    return { type: 'interacts_with', from: a.index, to: b.index, likelihood: null, certainty, severity, rule };
  }
}

function findingsOf(knowledge: MedicationKnowledge, x: Substance, y: Substance): Finding[] {
  return judgeSubstances(knowledge, { substance: x, route: null }, { substance: y, route: null });
}

/** One bit for each rule that is at least as bad. */
function rulesAsBadAs({ rules, a }: RuleTable, least: Severity): Uint32Array {
  const mask = new Uint32Array(a[0]?.length ?? 0);
  for (const [bit, { rule }] of rules.entries())
    if (severityRank(rule.severity) <= severityRank(least))
      mask[bit >>> 5] = (mask[bit >>> 5] as number) | (1 << (bit & 31));
  return mask;
}

function mayFire({ a, b }: RuleTable, mask: Uint32Array, x: number, y: number): boolean {
  const ax = a[x] as Uint32Array;
  const bx = b[x] as Uint32Array;
  const ay = a[y] as Uint32Array;
  const by = b[y] as Uint32Array;
  for (let word = 0; word < ax.length; word++) {
    const bits = ((ax[word] as number) & (by[word] as number)) | ((ay[word] as number) & (bx[word] as number));
    if ((bits & (mask[word] as number)) !== 0) return true;
  }
  return false;
}
