import type { Catalogue } from '../engine/catalogue.ts';
import type { Edit } from '../engine/edit.ts';
import { formatPath } from '../engine/path.ts';
import type { Step } from '../engine/step.ts';

/** What a converter must not ask, as it stands in its text, and what would come of it. */
const OUTSIDE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b|\bprocess\.hrtime\b/, 'the clock'],
  [/\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b/, 'randomness'],
  [/\bprocess\.env\b|\bglobalThis\b|\bfetch\(|\bimport\(|\brequire\(/, 'what lies outside'],
];

/** A converter that would give the same body another translation tomorrow, or the second time. */
export interface ImpureConverter {
  /** `release/change`. */
  readonly change: string;
  /** The resource and the member, or the query. */
  readonly place: string;
  readonly message: string;
}

/** The converters whose text asks for something else than what they are given. The proofs find those that hide it. */
export function impureConverters({ steps }: Catalogue): readonly ImpureConverter[] {
  return steps.flatMap((step) => [
    ...[...step.edits].flatMap(([resource, edits]) => edits.flatMap((edit) => ofEdit(step, resource, edit))),
    ...step.values.flatMap(({ of, written }) => written.flatMap((each) => ofText(step, of, String(each)).slice(0, 1))),
    ...step.operationEdits.flatMap((edit) => {
      if (edit.kind === 'query') return ofText(step, 'the query', String(edit.up));
      if (edit.kind === 'refusal') return ofText(step, edit.operation, String(edit.when));
      if (edit.kind === 'operation-error' && 'data' in edit.older)
        return ofText(step, edit.operation, String(edit.older.data));
      return [];
    }),
  ]);
}

function ofEdit(step: Step, resource: string, edit: Edit): readonly ImpureConverter[] {
  if (edit.kind !== 'relate') return [];
  const [path] = [...edit.older.map((member) => member.path), ...edit.newer];
  const place = path === undefined ? resource : `${resource}.${formatPath(path)}`;
  const texts = edit.written ?? [edit.down, ...(edit.up ? [edit.up] : [])];
  return texts.flatMap((each) => ofText(step, place, String(each))).slice(0, 1);
}

function ofText({ name }: Step, place: string, text: string): readonly ImpureConverter[] {
  // What is quoted is only said.
  const code = text.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''");
  return OUTSIDE.filter(([pattern]) => pattern.test(code))
    .slice(0, 1)
    .map(([, what]) => ({
      change: name,
      place,
      message: `its converter uses ${what}: the same body would not be translated the same every time`,
    }));
}
