import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history, type Release } from '@perennial/schemas/history.ts';
import { compareContracts } from '@perennial/translators/contract/differences.ts';
import type { OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { documentOf, openApiOf } from '@perennial/translators/contract/openapi.ts';
import { createCatalogue } from '@perennial/translators/engine/catalogue.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { errorTranslator } from '@perennial/translators/engine/errors.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';

const translator = createTranslator(head, history, releases);

/** The document of a release with other changes, without the plans that a translator would compile. */
function documentFrom(release: Release, changes: readonly ReleaseChanges[]): OpenApiDocument {
  const catalogue = createCatalogue(head, history, changes);
  const { level } = catalogue.releases.find(({ id }) => id === release.id)!;
  const contract = catalogue.contracts[level]!;
  return documentOf({
    release,
    contract: { ...contract, operations: contract.operations.filter(({ since }) => !since || since <= release.id) },
    behaviours: catalogue.behavioursAt(level),
    error: errorTranslator(catalogue, level),
  });
}

const translatorDocuments = new Map(history.releases.map((release) => [release.id, openApiOf(translator, release)]));

describe('a locked contract', () => {
  it('shows every change that is forgotten', () => {
    for (const { id, changes } of releases)
      for (const forgotten of changes) {
        const without = releases.map((each) =>
          each.id === id ? { ...each, changes: changes.filter((change) => change !== forgotten) } : each,
        );
        const before = history.releases[history.releases.findIndex((release) => release.id === id) + 1]!;
        let found: readonly unknown[];
        try {
          found = compareContracts(translatorDocuments.get(before.id)!, documentFrom(before, without));
        } catch (error) {
          // Other changes no longer fit: caught even earlier.
          found = [(error as Error).name];
        }
        // A field that is only added breaks nobody when it shows too early, and yet it is seen.
        expect([`${id}/${forgotten.id}`, found.length > 0]).toEqual([`${id}/${forgotten.id}`, true]);
      }
  });
});
