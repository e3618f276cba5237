import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '@perennial/schemas/contract.ts';
import { createExamples, ExampleMissing } from '@perennial/translators/contract/examples.ts';
import { traceDown } from '@perennial/translators/contract/trace.ts';
import type { Step } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type CodeLine, differingLines } from './code.ts';

/** A resource as one change found it and as it left it. */
export interface ChangeExample {
  readonly resource: string;
  readonly lines: { readonly older: readonly CodeLine[]; readonly newer: readonly CodeLine[] };
}

/**
 * Examples of changes: the example of the newer schema, and what the change itself makes of it for older clients. Made
 * at first use and kept, for they follow from the releases alone.
 */
export function changeExamples(translator: Translator): (step: Step) => readonly ChangeExample[] {
  const known = new Map<string, readonly ChangeExample[]>();
  return (step) => {
    let found = known.get(step.name);
    if (!found) {
      found = make(translator, step);
      known.set(step.name, found);
    }
    return found;
  };
}

function make(translator: Translator, step: Step): readonly ChangeExample[] {
  const { catalogue } = translator;
  const older = catalogue.steps.indexOf(step);
  const levels = { older, newer: older + 1 };
  const { resources } = catalogue.contracts[levels.newer] as Contract;
  const examples = createExamples(resources);
  return [...step.edits.keys()].flatMap((resource) => {
    // What a page says depends on what it is a page of, and on the request.
    if (resource === 'Page') return [];
    try {
      const after = examples.of(resource);
      const before = traceDown(translator, levels, resource, after, undefined).data;
      return isDeepStrictEqual(before, after) ? [] : [{ resource, lines: differingLines(before, after) }];
    } catch (error) {
      if (error instanceof ExampleMissing) return [];
      throw error;
    }
  });
}
