import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from '@perennial/core/platform/idempotency/key.ts';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { IDEMPOTENCY_HEADER_CHARS_MAX } from '@perennial/schemas/idempotency.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { OpenApiDocument, OpenApiParameter } from '@perennial/translators/contract/document.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import fc from 'fast-check';

const translator = createTranslator(head, history, releases);
const documents = history.releases.map(({ id }, at): [string, OpenApiDocument] => [
  id,
  openApiOf(translator, history.releases[at]!),
]);

function parametersOf(document: OpenApiDocument, operationId: string): readonly OpenApiParameter[] {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations.find((each) => each.operationId === operationId)?.parameters ?? [];
}

/** Whether a document takes a value that is a string. */
function takes({ schema }: OpenApiParameter, value: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '' } = schema;
  return value.length >= minLength && value.length <= maxLength && new RegExp(pattern, 'u').test(value);
}

describe.each(documents)('what the document of %s says of parameters is what is taken', (release, document) => {
  it('of every order of a list', () => {
    const contract = translator.contract(release);
    const validator = createValidator(contract.resources);
    let seen = 0;
    for (const operation of contract.operations) {
      const sort = parametersOf(document, operation.id).find(({ name }) => name === 'sort');
      if (!sort) continue;
      seen += 1;
      const fields = sort['x-sort-fields'] as readonly string[];
      const part = fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...fields.flatMap((field) => [field, `-${field}`])) },
        fc.constantFrom('', '-', 'id', 'nonsense', '--name', ' name', `${fields[0]} `, `+${fields[0]}`),
      );
      const value = fc.array(part, { minLength: 1, maxLength: fields.length + 1 }).map((parts) => parts.join(','));
      fc.assert(
        fc.property(value, (text) => {
          const { faults } = validator.query(operation, new URLSearchParams({ sort: text }));
          const sortFaults = faults.filter(({ parameter }) => parameter === 'sort');
          expect([text, takes(sort, text)]).toEqual([text, sortFaults.length === 0]);
        }),
        { numRuns: 60 },
      );
    }
    expect(seen).toBeGreaterThan(10);
  });

  it('of every Idempotency-Key', () => {
    const key = parametersOf(document, 'patients.create').find(({ name }) => name === 'Idempotency-Key')!;
    const isRead = (text: string): boolean => {
      try {
        return readIdempotencyKey({ 'idempotency-key': text }) !== undefined;
      } catch {
        return false;
      }
    };
    const text = fc.string({
      unit: fc.constantFrom(...' !"#+,-.A[\\]z~\u007fé'),
      maxLength: IDEMPOTENCY_HEADER_CHARS_MAX + 2,
      size: 'max',
    });
    const short = fc.string({ unit: fc.constantFrom(...'a, "\\'), maxLength: 6 });
    const values = fc.oneof(
      text,
      short,
      short.map((each) => `"${each}"`),
      fc.integer({ min: 0, max: 520 }).map((length) => 'k'.repeat(length)),
      fc.integer({ min: 0, max: 520 }).map((length) => `"${'\\"'.repeat(length / 2)}"`),
    );
    fc.assert(
      // HTTP takes spaces from the ends of a header before anybody sees it.
      fc.property(values, (value) => {
        const sent = value.trim();
        expect([sent, takes(key, sent)]).toEqual([sent, isRead(sent)]);
      }),
      { numRuns: 500 },
    );
  });
});

it('says that a search of DICOMweb may find nothing, and that bytes may be asked for in part', () => {
  const [newest] = documents.map(([, document]) => document);
  const operations = Object.values(newest!.paths).flatMap((methods) => Object.values(methods));
  const statuses = (end: string): Set<string> =>
    new Set(
      operations
        .filter(({ operationId }) => operationId.endsWith(end))
        .map(({ responses }) =>
          Object.keys(responses)
            .filter((status) => status.startsWith('2'))
            .join(' '),
        ),
    );
  expect(statuses('instances.search')).toEqual(new Set(['200 204']));
  expect(statuses('series.search')).toEqual(new Set(['200 204']));
  expect(statuses('studies.search')).toEqual(new Set(['200 204']));
  expect(statuses('.download')).toEqual(new Set(['200 206']));
});
