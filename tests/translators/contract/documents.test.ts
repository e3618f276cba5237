import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { standings } from '@perennial/schemas/lifecycle.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { documentText, type OpenApiDocument, type OpenApiResponse } from '@perennial/translators/contract/document.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
const shipped = createTranslator(head, history, releases);
const worked = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);

const documents: [string, OpenApiDocument][] = [
  ...history.releases.map((release): [string, OpenApiDocument] => [release.id, openApiOf(shipped, release)]),
  ['2024-04-01 (worked example)', openApiOf(worked, historyWithPreview.releases[0]!)],
];

const validated = <T>(document: OpenApiDocument, visit: (check: Check) => T): T => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'https://contract/', components: document.components });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return visit((schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"https://contract/#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  });
};
type Check = (schema: JsonSchema, value: unknown) => readonly string[];

const follow = (document: OpenApiDocument, response: OpenApiResponse | { $ref: string }): OpenApiResponse =>
  '$ref' in response
    ? (document.components.responses[response.$ref.split('/').at(-1) as string] as OpenApiResponse)
    : response;

const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe.each(documents)('the document of %s', (release, document) => {
  it('is valid OpenAPI 3.1 for a public validator', async () => {
    const result = await new Validator().validate(JSON.parse(documentText(document)));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has an example of every schema, which the schema accepts', () => {
    validated(document, (check) => {
      for (const [name, schema] of Object.entries(document.components.schemas)) {
        expect([name, schema.examples?.length]).toEqual([name, 1]);
        expect([name, check(schema, schema.examples?.[0])]).toEqual([name, []]);
      }
    });
  });

  it('shows answers, errors and parameters that their schemas accept', () => {
    validated(document, (check) => {
      let shown = 0;
      for (const { operation } of operationsOf(document)) {
        for (const parameter of operation.parameters ?? [])
          if (parameter.example !== undefined) expect(check(parameter.schema, parameter.example)).toEqual([]);
        for (const given of Object.values(operation.responses)) {
          for (const { schema, example, examples = {} } of Object.values(follow(document, given).content ?? {})) {
            const values = [
              ...(example === undefined ? [] : [example]),
              ...Object.keys(examples).map((name) => document.components.examples[name]?.value),
            ];
            for (const value of values) expect(check(schema, value)).toEqual([]);
            shown += values.length;
          }
        }
      }
      expect(shown).toBeGreaterThan(operationsOf(document).length * 10);
    });
  });

  it('has every operation of the release, with its parameters, errors and the headers of its version', () => {
    const translator = release.includes('worked') ? worked : shipped;
    const { operations } = translator.contract(document.info['x-release']);
    expect(operationsOf(document).map(({ path, method, operation }) => [operation.operationId, method, path])).toEqual(
      expect.arrayContaining(operations.map(({ id, method, path }) => [id, method.toLowerCase(), path])),
    );
    expect(operationsOf(document)).toHaveLength(operations.length);
    for (const { operation } of operationsOf(document)) {
      const declared = operations.find(({ id }) => id === operation.operationId)!;
      expect((operation.parameters ?? []).map(({ name }) => name)).toEqual(
        expect.arrayContaining(declared.parameters.map(({ name }) => name)),
      );
      const responses = Object.values(operation.responses).map((each) => follow(document, each));
      const codes = responses.flatMap((each) => each['x-error-codes'] ?? []);
      expect(codes).toEqual(expect.arrayContaining([...declared.errors, 'version_sunset', 'rate_limited']));
      for (const response of responses)
        expect(Object.keys(response.headers ?? {})).toEqual(
          expect.arrayContaining(['Service-Version', 'Service-API-Deprecation', 'Deprecation', 'Sunset', 'Link']),
        );
      expect(responses.find((each) => each['x-error-codes']?.includes('rate_limited'))?.headers).toHaveProperty([
        'Retry-After',
      ]);
    }
  });

  it('refers to nothing that it does not have', () => {
    for (const [, ref] of documentText(document).matchAll(/"#\/(components\/[^"]+)"/g)) {
      const value = (ref as string)
        .split('/')
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], document);
      expect([ref, typeof value]).toEqual([ref, 'object']);
    }
  });
});

describe('documents', () => {
  const byId = new Map(documents);

  it('do not depend on the order in which the contract is written', () => {
    const shuffled = createTranslator(
      { resources: new Map([...head.resources].reverse()), operations: [...head.operations].reverse() },
      history,
      releases,
    );
    for (const release of history.releases)
      expect(documentText(openApiOf(shuffled, release))).toBe(documentText(openApiOf(shipped, release)));
  });

  it('say how each version authenticates', () => {
    expect(Object.keys(byId.get('2022-05-01')!.components.securitySchemes)).toEqual(['bearer', 'apiKeyInQuery']);
    expect(Object.keys(byId.get('2022-11-15')!.components.securitySchemes)).toEqual(['bearer']);
    expect(byId.get('2022-11-15')!.components.securitySchemes['bearer']?.['bearerFormat']).toContain('sk_');
    expect(byId.get('2023-10-15')!.components.securitySchemes['bearer']?.['bearerFormat']).not.toContain('sk_');
  });

  it('show errors in the shape of their version', () => {
    expect(Object.keys(byId.get('2022-05-01')!.components.schemas['ErrorBody']!.properties!)).toEqual([
      'code',
      'message',
    ]);
    expect(byId.get('2022-11-15')!.components.schemas['ErrorBody']!.required).toContain('details');
  });

  it('say where a version stands only when they are served', () => {
    const [deprecated] = standings(history, '2023-11-01').filter(({ state }) => state === 'deprecated');
    const release = deprecated!.release;
    const committed = openApiOf(shipped, release);
    const served = openApiOf(shipped, release, deprecated);
    expect(committed.info['x-lifecycle']).toBeUndefined();
    expect(operationsOf(committed).some(({ operation }) => operation.deprecated)).toBe(false);
    expect(served.info['x-lifecycle']).toMatchObject({ state: 'deprecated', sunset: release.sunset });
    expect(operationsOf(served).every(({ operation }) => operation.deprecated)).toBe(true);
  });

  it('give a preview the path under which it is served', () => {
    const release = historyWithPreview.releases[0]!;
    expect(openApiOf(worked, release, { release, state: 'preview' }).servers).toEqual([{ url: '/preview/2024-04-01' }]);
  });
});
