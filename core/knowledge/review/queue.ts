import type { EvidenceGrade } from '../evidence.ts';
import { EvidenceBase } from '../evidence.ts';
import type { Knowledge } from '../types.ts';
import { entriesOf, SIGN_OFFS_MAX, SIGNED_KINDS, Signed, type SignedKind, type SignOff, versionOf } from './signed.ts';

/** Who wrote what nobody else is named for. */
const AUTHOR = 'Perennial knowledge editors';

/** An entry as a reviewer sees it in a list. */
export interface Listed {
  readonly entry: string;
  readonly kind: SignedKind;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  /** Null for what is signed and has no grade of its own: findings and guidelines. */
  readonly grade: EvidenceGrade | null;
  /** How much harm a fault can do: 0 is the worst. */
  readonly danger: number;
  /** Those that hold for this version. */
  readonly signOffs: readonly SignOff[];
}

/** Every entry, the most dangerous and least signed first. */
export function reviewQueue(knowledge: Knowledge): readonly Listed[] {
  const signed = new Signed(knowledge);
  const evidence = new EvidenceBase(knowledge);
  const danger = dangerOf(knowledge);
  const grades = new Map<string, EvidenceGrade>([
    ...knowledge.conditions.map((each) => [`condition:${each.id}`, evidence.ofCondition(each).grade] as const),
    ...knowledge.red_flags.map((each) => [`red_flag:${each.id}`, evidence.ofRedFlag(each).grade] as const),
    ...knowledge.treatments.map((each) => [`treatment:${each.id}`, evidence.ofTreatment(each)] as const),
  ]);
  const listed = SIGNED_KINDS.flatMap((kind) =>
    entriesOf(knowledge, kind).map((each): Listed => {
      const entry = `${kind}:${each.id}`;
      return {
        entry,
        kind,
        id: each.id,
        name: nameOf(each),
        version: versionOf(each),
        author: AUTHOR,
        grade: grades.get(entry) ?? null,
        danger: danger(kind, each.id),
        signOffs: signed.of(kind, each),
      };
    }),
  );
  return listed.sort(
    (a, b) =>
      a.danger - b.danger ||
      a.signOffs.length - b.signOffs.length ||
      Number(a.grade === 'published') - Number(b.grade === 'published') ||
      (a.entry < b.entry ? -1 : 1),
  );
}

/** Those that have room for a sign-off. */
export function unsigned(queue: readonly Listed[]): readonly Listed[] {
  return queue.filter(({ signOffs }) => signOffs.length < SIGN_OFFS_MAX);
}

function nameOf(entry: object): string {
  if ('name' in entry && typeof entry.name === 'string') return entry.name;
  return 'title' in entry && typeof entry.title === 'string' ? entry.title : '';
}

const URGENCY_DANGER = { emergency: 1, urgent: 3, soon: 5, routine: 6, self_care: 6 } as const;

function dangerOf(knowledge: Knowledge): (kind: SignedKind, id: string) => number {
  const worst = new Map<string, number>();
  const note = (entry: string, danger: number): void => {
    worst.set(entry, Math.min(danger, worst.get(entry) ?? Number.POSITIVE_INFINITY));
  };
  for (const { id, urgency } of knowledge.red_flags) note(`red_flag:${id}`, urgency === 'emergency' ? 0 : 2);
  for (const { id, urgency, treatments } of knowledge.conditions) {
    note(`condition:${id}`, URGENCY_DANGER[urgency]);
    for (const each of treatments) note(`treatment:${each}`, URGENCY_DANGER[urgency]);
  }
  // A finding that raises a flag is as dangerous as a condition that is urgent; others only rank.
  for (const { when } of knowledge.red_flags) for (const id of when.flat()) note(`finding:${id}`, 4);
  return (kind, id) => worst.get(`${kind}:${id}`) ?? 7;
}
