import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { createValidator, type Validator } from '@perennial/schemas/validation.ts';
import { type Catalogue, createCatalogue, operationOf } from './catalogue.ts';
import type { ReleaseChanges } from './change.ts';
import { compile } from './compile.ts';
import { errorsAt, errorTranslator, type OlderError } from './errors.ts';
import { CatalogueInvalid, EditRefused } from './failures.ts';
import { createPlan, type Plan, serves } from './plan.ts';
import { type Run, runsBetween } from './run.ts';

/** What the gateway asks of the translators. */
export interface Translator {
  readonly catalogue: Catalogue;
  /** The release whose schema core speaks: the newest release folder, Preview included. */
  readonly headRelease: string;
  /** The derived contract of a release. */
  contract(release: string): Contract;
  /** The plan of an operation at a release; undefined when that release does not have the operation. */
  plan(release: string, operationId: string): Plan | undefined;
  /**
   * A canonical document that was stored when `from` was head (an event, a job's result, a replayed answer), in the
   * version `to`. Translation starts where the document was written, not at today's head.
   */
  document(ref: string, from: string, to: string, value: unknown): unknown;
  /** The parts into which a run falls for what `ref` leads to, oldest first; see `run.ts`. */
  runs(run: Run, ref: string): readonly Run[];
  /** Validates against the contract of a release. */
  validator(release: string): Validator;
  /** What differs at a release without being a shape. */
  behaviours(release: string): Behaviours;
  /**
   * An error that the gateway itself found, in a release's shape, with its status where that differs.
   * @param operation the one that was asked for, where that is known: it may have errors of its own.
   */
  error(release: string, error: ErrorBody, operation?: string): OlderError;
}

interface Version {
  readonly level: number;
  readonly contract: Contract;
  readonly plan: (operation: string) => Plan | undefined;
  readonly validator: () => Validator;
  readonly behaviours: Behaviours;
  readonly error: () => (error: ErrorBody) => OlderError;
  readonly errorOf: () => (operation: string, error: ErrorBody) => OlderError;
}

/** How much is made at once. */
export interface TranslatorOptions {
  /**
   * `all`: every plan of every version, so that what cannot be served is refused here; for tools and tests. `asked`: a
   * plan when its operation is first called in that version; for a gateway, whose releases the tools have checked.
   */
  readonly compile?: 'all' | 'asked';
}

/**
 * Derives every contract, and compiles every plan or what is asked for.
 * @throws {CatalogueInvalid} when a change does not fit; see `catalogue.ts`.
 */
export function createTranslator(
  head: Contract,
  history: History,
  releases: readonly ReleaseChanges[],
  { compile: extent = 'all' }: TranslatorOptions = {},
): Translator {
  const catalogue = createCatalogue(head, history, releases);
  const versions = new Map<string, Version>();
  const headValidator = createValidator((catalogue.contracts.at(-1) as Contract).resources);
  for (const { id, level } of catalogue.releases) {
    const contract = catalogue.contracts[level] as Contract;
    const plans = new Map<string, Plan | undefined>();
    versions.set(id, {
      level,
      contract: publishedOf(catalogue, id, level),
      plan(operation) {
        let plan = plans.get(operation);
        if (plan === undefined && operationOf(contract, operation) !== undefined) {
          plan = createPlan(catalogue, id, level, operation, headValidator);
          plans.set(operation, plan);
        }
        return plan;
      },
      validator: once(() => createValidator(validatedBy(contract, catalogue.published(level)))),
      behaviours: catalogue.behavioursAt(level),
      error: once(() => errorTranslator(catalogue, level)),
      errorOf: once(() => errorsAt(catalogue, level)),
    });
  }
  if (extent === 'all') compileAll(versions);
  const documents = new Map<string, (document: unknown) => unknown>();
  const at = (release: string): Version => {
    const version = versions.get(release);
    if (!version) throw new Error(`${release} is not a release of the history`);
    return version;
  };
  return {
    catalogue,
    headRelease: catalogue.releases.at(-1)?.id as string,
    contract: (release) => at(release).contract,
    plan: (release, operationId) => at(release).plan(operationId),
    document: (ref, from, to, value) => {
      const key = `${ref} ${from} ${to}`;
      let translate = documents.get(key);
      if (!translate) {
        const run = { older: at(to).level, newer: at(from).level };
        if (run.older > run.newer) throw new Error(`a document of ${from} cannot be made one of ${to}`);
        const parts = runsBetween(catalogue, run.older, run.newer, ref).map((part) =>
          compile(catalogue, part, ref, 'down'),
        );
        translate = (document) => parts.reduceRight((body, part) => part(body), document);
        documents.set(key, translate);
      }
      return translate(value);
    },
    runs: ({ older, newer }, ref) => runsBetween(catalogue, older, newer, ref),
    validator: (release) => at(release).validator(),
    behaviours: (release) => at(release).behaviours,
    error: (release, error, operation) =>
      operation === undefined ? at(release).error()(error) : at(release).errorOf()(operation, error),
  };
}

/** @throws {CatalogueInvalid} naming every operation that a version cannot be served. */
function compileAll(versions: ReadonlyMap<string, Version>): void {
  const faults: string[] = [];
  for (const [id, { contract, plan, error, errorOf }] of versions) {
    error();
    errorOf();
    for (const operation of contract.operations) {
      try {
        plan(operation.id);
      } catch (failure) {
        if (!(failure instanceof EditRefused)) throw failure;
        faults.push(`${operation.id} cannot be served at ${id}: ${failure.message}`);
      }
    }
  }
  if (faults.length > 0) throw new CatalogueInvalid(faults);
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The contract as clients are told of it, of the operations that the version has. */
function publishedOf(catalogue: Catalogue, release: string, level: number): Contract {
  const contract = catalogue.published(level);
  return { ...contract, operations: contract.operations.filter(({ id }) => serves(catalogue, release, level, id)) };
}

/** Resources under the engine's names, and under those that clients know. */
function validatedBy(contract: Contract, published: Contract): Contract['resources'] {
  return published.resources === contract.resources
    ? contract.resources
    : new Map([...published.resources, ...contract.resources]);
}
