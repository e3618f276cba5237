import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
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

/** A translator any of whose converters can be made to throw. */
export interface FaultyTranslator {
  readonly translator: Translator;
  /** From here on, only this converter throws. */
  inject(target: Target, direction: 'up' | 'down'): void;
}

/** Makes one. Compiling a translator takes long, so one serves all faults. */
export function faultyTranslator(
  head: Contract,
  history: History,
  releases: readonly ReleaseChanges[],
): FaultyTranslator {
  let fault = '';
  const injectable = (edit: Edit, place: Omit<Target, 'edit' | 'release'>): Edit => {
    if (edit.kind !== 'relate') return edit;
    const { down, up } = edit;
    const throwing =
      (direction: 'up' | 'down', convert: Relate['down']): Relate['down'] =>
      (...values) => {
        if (fault === keyOf(place, direction)) throw new Injected();
        return convert(...values);
      };
    return { ...edit, down: throwing('down', down), up: up && throwing('up', up) };
  };
  const translator = createTranslator(
    head,
    history,
    releases.map((release) => ({
      ...release,
      changes: release.changes.map((change) => ({
        ...change,
        resources: (change.resources ?? []).map(({ resource, edits }) => ({
          resource,
          edits: (edits.flat() as Edit[]).map((edit, index) =>
            injectable(edit, { name: `${release.id}/${change.id}`, resource, index }),
          ),
        })),
      })),
    })),
  );
  return {
    translator,
    inject: (target, direction) => {
      fault = keyOf(target, direction);
    },
  };
}

/** The translator in which that converter throws. */
export function translatorWithFault(
  head: Contract,
  history: History,
  releases: readonly ReleaseChanges[],
  target: Target,
  direction: 'up' | 'down',
): Translator {
  const { translator, inject } = faultyTranslator(head, history, releases);
  inject(target, direction);
  return translator;
}

function keyOf({ name, resource, index }: Omit<Target, 'edit' | 'release'>, direction: 'up' | 'down'): string {
  return `${direction} ${name} ${resource} ${index}`;
}

/** The release before the one that made the change: the newest whose clients need it. */
export function versionBefore(translator: Translator, release: string): string {
  const ids = translator.catalogue.releases.map(({ id }) => id);
  return ids[ids.indexOf(release) - 1] as string;
}
