import type { Release } from '@perennial/schemas/history.ts';
import { errorsAt, errorTranslator } from '../engine/errors.ts';
import { formatPath } from '../engine/path.ts';
import type { Step } from '../engine/step.ts';
import type { Translator } from '../engine/translator.ts';
import type { Difference } from './difference.ts';
import { compareContracts, compareMember } from './differences.ts';
import type { OpenApiDocument } from './document.ts';
import { documentOf } from './openapi.ts';
import { levelOf } from './trace.ts';

/** A difference between two releases and what makes it. */
export interface ExplainedDifference extends Difference {
  /** The change that makes it; undefined for an operation that a release added. */
  readonly change: { readonly name: string; readonly sentence: string } | undefined;
  /** The release that made it. */
  readonly release: string;
}

/**
 * Everything that differs for a client that moves from `from` to `to`, in the order in which it changed. The steps of
 * the catalogue are walked one by one, so that each difference is the doing of one change, also where later changes
 * change the same place again.
 * @param from the older release. @param to the newer one.
 */
export function differencesBetween(translator: Translator, from: Release, to: Release): readonly ExplainedDifference[] {
  const { catalogue } = translator;
  const operations = new Set(translator.contract(from.id).operations.map(({ id }) => id));
  const documentAt = (level: number): OpenApiDocument => {
    const contract = catalogue.published(level);
    return documentOf({
      release: to,
      contract: { ...contract, operations: contract.operations.filter(({ id }) => operations.has(id)) },
      behaviours: catalogue.behavioursAt(level),
      error: errorTranslator(catalogue, level),
      errorOf: errorsAt(catalogue, level),
    });
  };
  const found: ExplainedDifference[] = [];
  const start = levelOf(translator, from.id);
  const end = levelOf(translator, to.id);
  let older = documentAt(start);
  for (let level = start; level < end; level++) {
    const step = catalogue.steps[level] as Step;
    const newer = documentAt(level + 1);
    const change = { name: step.name, sentence: step.change.sentence };
    for (const difference of withRenames(older, newer, step))
      found.push({ ...difference, change, release: step.release });
    older = newer;
  }
  for (const { id, since } of translator.contract(to.id).operations)
    if (!operations.has(id))
      found.push({
        severity: 'compatible',
        place: id,
        direction: 'operation',
        text: 'operation added',
        operations: [id],
        change: undefined,
        release: since ?? to.id,
      });
  return found;
}

/** A field that went and one that came are one rename where the change says so. */
function withRenames(older: OpenApiDocument, newer: OpenApiDocument, step: Step): readonly Difference[] {
  const differences = compareContracts(older, newer);
  const gone = new Set<Difference>();
  const result: Difference[] = [];
  for (const difference of differences)
    result.push(...asRename(difference, differences, movesOf(step), gone, [older, newer]));
  return result.filter((difference) => !gone.has(difference));
}

interface Rename {
  readonly resource: string;
  readonly older: string;
  readonly newer: string;
}

function movesOf(step: Step): readonly Rename[] {
  return [...step.edits].flatMap(([resource, edits]) =>
    edits.flatMap((edit) =>
      edit.kind === 'move' ? [{ resource, older: formatPath(edit.older), newer: formatPath(edit.newer) }] : [],
    ),
  );
}

/** The difference itself, or the rename it is the first half of; the second half is noted as gone. */
function asRename(
  difference: Difference,
  all: readonly Difference[],
  moves: readonly Rename[],
  gone: Set<Difference>,
  documents: readonly [OpenApiDocument, OpenApiDocument],
): readonly Difference[] {
  const counterpart = (place: string, texts: readonly string[]): Difference | undefined =>
    all.find((each) => each.place === place && texts.includes(each.text) && each.direction === difference.direction);
  for (const { resource, older, newer } of moves) {
    if (difference.place === `${resource}.${older}` && difference.text === 'field removed') {
      const place = `${resource}.${newer}`;
      const added = counterpart(place, ['field added', 'required field added']);
      if (!added) continue;
      gone.add(added);
      // What else the change did to the field is seen when both sides are laid over each other.
      const component = difference.direction === 'request' ? `${resource}Create` : resource;
      const member = { component, older: older.split('.'), newer: newer.split('.') };
      const inner = compareMember(...documents, member, place, difference.direction);
      return [{ ...difference, text: `renamed to ${newer}` }, ...inner.map((each) => ({ ...difference, ...each }))];
    }
    const parameter = /^query parameter (\S+) removed$/.exec(difference.text)?.[1];
    if (parameter === undefined || (parameter !== older && !parameter.startsWith(`${older}.`))) continue;
    const name = `${newer}${parameter.slice(older.length)}`;
    const added = counterpart(difference.place, [
      `query parameter ${name} added`,
      `required query parameter ${name} added`,
    ]);
    if (!added) continue;
    gone.add(added);
    return [{ ...difference, text: `query parameter ${parameter} renamed to ${name}` }];
  }
  return [difference];
}
