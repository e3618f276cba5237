import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { eachFieldLink, eachPointerLink, eachRef } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from './catalogue.ts';
import { applyDown, applyUp, type Edit } from './edit.ts';
import { reachable, type Step } from './step.ts';
import { identityTree, type Node } from './tree.ts';
import { holdsValues } from './values.ts';

/**
 * A run: consecutive steps composed into one rewriting. All steps between two versions are one run, except that a
 * change whose converters look inside other resources runs by itself, because what it sees there must have exactly
 * the shape of its own place in history, and so does one that converts values wherever they stand.
 */
export interface Run {
  /** Level of the older contract. */
  readonly older: number;
  /** Level of the newer contract. */
  readonly newer: number;
}

/** A resource across a run, in both directions. */
export interface Fused {
  /** The older shape, its members as expressions over the newer body. */
  readonly down: Node;
  /** The newer shape, its members as expressions over the older body. */
  readonly up: Node;
}

/** The runs between two levels for what `ref` leads to, oldest first. */
export function runsBetween(catalogue: Catalogue, older: number, newer: number, ref: string): readonly Run[] {
  const runs: Run[] = [];
  let start = older;
  for (let level = older; level < newer; level++) {
    const step = catalogue.steps[level] as Step;
    const convertsValues = step.values.length > 0 && touches(catalogue, { older: level, newer: level + 1 }, ref);
    if (!convertsValues && !looksInside(step, reachable(catalogue.contracts[level + 1]!, ref))) continue;
    if (start < level) runs.push({ older: start, newer: level });
    runs.push({ older: level, newer: level + 1 });
    start = level + 1;
  }
  if (start < newer) runs.push({ older: start, newer });
  return runs.filter((run) => touches(catalogue, run, ref));
}

function looksInside(step: Step, resources: ReadonlySet<string>): boolean {
  for (const [resource, edits] of step.edits)
    if (resources.has(resource) && edits.some((edit) => edit.kind === 'relate' && edit.looksInside)) return true;
  return false;
}

/** Whether any step of the run edits the resource itself. */
function edits(catalogue: Catalogue, run: Run, resource: string): boolean {
  return catalogue.steps.slice(run.older, run.newer).some((step) => step.edits.has(resource));
}

/** Whether the run changes anything in what `ref` leads to. */
export function touches(catalogue: Catalogue, run: Run, ref: string): boolean {
  let known = touchesOf.get(catalogue);
  if (!known) {
    known = new Map();
    touchesOf.set(catalogue, known);
  }
  const key = `${run.older} ${run.newer} ${ref}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = findTouched(catalogue, run, ref);
    known.set(key, answer);
  }
  return answer;
}

/** Every plan asks about the same few resources. */
const touchesOf = new WeakMap<Catalogue, Map<string, boolean>>();

function findTouched(catalogue: Catalogue, run: Run, ref: string): boolean {
  const resources = new Set([
    ...reachable(catalogue.contracts[run.newer]!, ref),
    ...reachable(catalogue.contracts[run.older]!, ref),
  ]);
  for (const level of [run.newer, run.older])
    for (const resource of resources) {
      const schema = catalogue.contracts[level]?.resources.get(resource);
      // Names of fields are values that follow the fields.
      if (!schema) continue;
      eachFieldLink(schema, (linked) =>
        linkedResources(catalogue, level, linked).forEach((each) => void resources.add(each)),
      );
      // Pointers follow the renames of what they lead into.
      eachPointerLink(schema, (into) => {
        for (const each of reachable(catalogue.contracts[level]!, into)) resources.add(each);
      });
    }
  return [...resources].some(
    (resource) =>
      edits(catalogue, run, resource) ||
      steps(run).some((step) =>
        [run.newer, run.older].some((level) => {
          const schema = catalogue.contracts[level]?.resources.get(resource);
          return schema !== undefined && holdsValues(catalogue, step, schema);
        }),
      ),
  );
}

/** Each step of a run as a run of its own. */
function steps({ older, newer }: Run): readonly Run[] {
  return Array.from({ length: newer - older }, (_, index) => ({ older: older + index, newer: older + index + 1 }));
}

/** The resources whose fields a link speaks of: the resource, and the members of a union. */
function linkedResources(catalogue: Catalogue, level: number, resource: string): readonly string[] {
  const mapping = catalogue.contracts[level]?.resources.get(resource)?.discriminator?.mapping;
  return [resource, ...Object.values(mapping ?? {})];
}

/** The steps of a run that change something in what `ref` leads to. */
export function stepsTouching(catalogue: Catalogue, run: Run, ref: string): readonly Step[] {
  return catalogue.steps
    .slice(run.older, run.newer)
    .filter((_, index) => touches(catalogue, { older: run.older + index, newer: run.older + index + 1 }, ref));
}

/**
 * The run without the steps at its ends that leave alone what `ref` leads to. Versions between which nothing of it
 * changed share what is made for it: of two hundred releases, most have nothing to do with an operation.
 */
export function narrowed(catalogue: Catalogue, run: Run, ref: string): Run {
  let { older, newer } = run;
  while (older < newer && !touches(catalogue, { older, newer: older + 1 }, ref)) older++;
  while (older < newer && !touches(catalogue, { older: newer - 1, newer }, ref)) newer--;
  return older < newer ? { older, newer } : run;
}

/** What is made once for each catalogue and name. */
export function shared<T>(): (catalogue: Catalogue, name: string, make: () => T) => T {
  const made = new WeakMap<Catalogue, Map<string, T>>();
  return (catalogue, name, make) => {
    let known = made.get(catalogue);
    if (!known) {
      known = new Map();
      made.set(catalogue, known);
    }
    let found = known.get(name);
    if (found === undefined) {
      found = make();
      known.set(name, found);
    }
    return found;
  };
}

/** Composes all edits of a resource across a run. */
export function fuse(catalogue: Catalogue, run: Run, resource: string): Fused {
  const steps = catalogue.steps.slice(run.older, run.newer);
  const edits = steps.flatMap((step) =>
    (step.edits.get(resource) ?? []).map((edit) => ({
      edit,
      context: { change: step.name, contextKey: step.change.id },
    })),
  );
  const newerSchema = catalogue.contracts[run.newer]?.resources.get(resource) as JsonSchema;
  const olderSchema = catalogue.contracts[run.older]?.resources.get(resource) as JsonSchema;
  // The tree on the newer side of each edit: on the way up it gives the shape to build and the stored value.
  const newerSides: {
    readonly edit: Edit;
    readonly context: (typeof edits)[number]['context'];
    readonly newer: Node;
  }[] = [];
  let down = identityTree(newerSchema);
  for (const { edit, context } of [...edits].reverse()) {
    newerSides.push({ edit, context, newer: down });
    down = applyDown(down, edit, context);
  }
  let up = identityTree(olderSchema);
  for (const { edit, context, newer } of newerSides.reverse()) up = applyUp(up, edit, newer, newer, context);
  return { down, up };
}

/** The schema that `ref` means at a level. */
export function schemaAt(catalogue: Catalogue, level: number, ref: string): JsonSchema {
  return resolveRef(catalogue.contracts[level]!.resources, ref);
}

/** Whether a schema leads to something that the run changes. */
export function schemaTouched(catalogue: Catalogue, run: Run, schema: JsonSchema): boolean {
  let touched = false;
  eachRef(schema, (ref) => {
    touched ||= ref !== '#item' && touches(catalogue, run, ref);
  });
  eachPointerLink(schema, (into) => {
    touched ||= touches(catalogue, run, into);
  });
  eachFieldLink(schema, (linked) => {
    touched ||= linkedResources(catalogue, run.newer, linked).some((resource) => edits(catalogue, run, resource));
  });
  touched ||= holdsValues(catalogue, run, schema);
  return touched;
}

/** The resource whose edits apply to what `ref` means: `Page` for `Patient.page`, `Patient` for `Patient.create`. */
export function editedResource(ref: string): string {
  const { resource, variant } = parseRef(ref);
  return variant === 'page' ? 'Page' : resource;
}
