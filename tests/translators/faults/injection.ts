import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { Change, ReleaseChanges } from '@perennial/translators/engine/change.ts';
import type { Edit, Relate } from '@perennial/translators/engine/edit.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';

/** One converter of one change. */
export interface Target {
  /** `release/change`. */
  readonly name: string;
  readonly release: string;
  readonly resource: string;
  /** Its place among the resource's edits, flattened. */
  readonly index: number;
  readonly edit: Relate;
}

/** What the injected converter throws. It stands for a bug, and for what a bug might say of a patient. */
export class Injected extends Error {
  override readonly name = 'Injected';

  constructor() {
    super('injected: Amara Okafor has a fault');
  }
}

/** Every converter of every change. */
export function targetsOf(releases: readonly ReleaseChanges[]): readonly Target[] {
  return releases.flatMap((release) =>
    release.changes.flatMap((change) =>
      (change.resources ?? []).flatMap(({ resource, edits }) =>
        (edits.flat() as Edit[]).flatMap((edit, index) =>
          edit.kind === 'relate'
            ? [{ name: `${release.id}/${change.id}`, release: release.id, resource, index, edit }]
            : [],
        ),
      ),
    ),
  );
}

/** The translator in which that converter throws. */
export function translatorWithFault(
  head: Contract,
  history: History,
  releases: readonly ReleaseChanges[],
  target: Target,
  direction: 'up' | 'down',
): Translator {
  const broken = (edit: Edit): Edit => ({
    ...(edit as Relate),
    [direction]: () => {
      throw new Injected();
    },
  });
  const inChange = (change: Change): Change => ({
    ...change,
    resources: (change.resources ?? []).map((each) =>
      each.resource === target.resource
        ? {
            ...each,
            edits: (each.edits.flat() as Edit[]).map((edit, index) => (index === target.index ? broken(edit) : edit)),
          }
        : each,
    ),
  });
  return createTranslator(
    head,
    history,
    releases.map((release) => ({
      ...release,
      changes: release.changes.map((change) =>
        `${release.id}/${change.id}` === target.name ? inChange(change) : change,
      ),
    })),
  );
}

/** The release before the one that made the change: the newest whose clients need it. */
export function versionBefore(translator: Translator, release: string): string {
  const ids = translator.catalogue.releases.map(({ id }) => id);
  return ids[ids.indexOf(release) - 1] as string;
}
