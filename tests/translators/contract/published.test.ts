import { describe, expect, it } from '@jest/globals';
import { operatorsDocument } from '@perennial/gateway/operators-document.ts';
import { head } from '@perennial/schemas/contract.ts';
import { eventKinds } from '@perennial/schemas/event-kinds.ts';
import { history } from '@perennial/schemas/history.ts';
import { IDEMPOTENCY_KEY_CHARS_MAX } from '@perennial/schemas/idempotency.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { documentText, type OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { publishedOf } from '@perennial/translators/contract/published.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
const translator = createTranslator(head, history, releases);
const base = 'https://api.example.org';
const documents = history.releases.map((release): [string, OpenApiDocument, OpenApiDocument] => {
  const contract = openApiOf(translator, release);
  return [release.id, publishedOf(contract, base), contract];
});

const operationsOf = (document: OpenApiDocument) =>
  Object.values({ ...document.paths, ...document.webhooks }).flatMap((methods) => Object.values(methods));

/** Checks of a document's own schemas. */
function checksOf(document: OpenApiDocument): (schema: JsonSchema, value: unknown) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'https://contract/', components: document.components });
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"https://contract/#/components');
    const validate = ajv.compile(JSON.parse(text));
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

describe.each(documents)('the published document of %s', (release, document, contract) => {
  it('is valid OpenAPI 3.1, and refers to nothing that it does not have', async () => {
    const text = documentText(document);
    expect((await new Validator().validate(JSON.parse(text))).errors).toBeUndefined();
    for (const [, ref] of text.matchAll(/"#\/(components\/[^"]+)"/g)) {
      const path = (ref as string).split('/');
      const found = path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], document);
      expect([ref, typeof found]).toEqual([ref, 'object']);
    }
  });

  it('has the operations of the contract and an address that can be called', () => {
    expect(Object.keys(document.paths)).toEqual(Object.keys(contract.paths));
    expect(document.servers).toEqual([{ url: `${base}/v${release}`, description: `Version v${release}` }]);
  });

  it('describes every operation and tag, and shows a body of every request that its schema accepts', () => {
    const check = checksOf(document);
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const { operationId, description, tags: own, requestBody } of operationsOf(document)) {
      expect([operationId, description?.length]).not.toEqual([operationId, undefined]);
      for (const tag of own) expect([tag, tags.get(tag)]).toEqual([tag, expect.stringMatching(/\w/)]);
      for (const [type, { schema, example }] of Object.entries(requestBody?.content ?? {})) {
        expect([operationId, type, example]).not.toEqual([operationId, type, undefined]);
        expect([operationId, check(schema, example)]).toEqual([operationId, []]);
      }
    }
    expect(new Set(operationsOf(document).flatMap(({ tags: own }) => own))).toEqual(new Set(tags.keys()));
  });

  it('names every envelope, event of a stream and object inside another', () => {
    for (const { responses } of operationsOf(document))
      for (const response of Object.values(responses))
        for (const { schema } of Object.values('content' in response ? (response.content ?? {}) : {}))
          expect(schema.properties).toBeUndefined();
    const inside = (schema: JsonSchema): readonly JsonSchema[] => [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items ? [schema.items] : []),
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
    ];
    for (const [name, schema] of Object.entries(document.components.schemas))
      for (const each of inside(schema))
        expect([name, each.properties && Object.keys(each.properties).length > 0]).not.toEqual([name, true]);
    expect(document.components.schemas).toHaveProperty('PatientEnvelope');
  });

  it('says of what type every answer is', () => {
    for (const { operationId, responses } of operationsOf(document))
      for (const response of Object.values(responses))
        expect([operationId, 'content' in response && Object.hasOwn(response.content ?? {}, '*/*')]).toEqual([
          operationId,
          false,
        ]);
  });

  it('has the events that its subscribers are sent, with bodies that their schemas accept', () => {
    const check = checksOf(document);
    const kinds = Object.entries(eventKinds)
      .filter(([, { since }]) => since <= release)
      .map(([kind]) => kind);
    expect(Object.keys(document.webhooks ?? {})).toEqual(kinds);
    for (const { post } of Object.values(document.webhooks ?? {}))
      for (const { schema, example } of Object.values(post?.requestBody?.content ?? {}))
        expect(check(schema, example)).toEqual([]);
  });

  it('gives Idempotency-Key one length, which is that of the error', () => {
    for (const { parameters = [] } of operationsOf(document))
      for (const { name, schema, example } of parameters)
        if (name === 'Idempotency-Key') {
          expect(schema.maxLength).toBe(IDEMPOTENCY_KEY_CHARS_MAX);
          expect(String(example)).toMatch(new RegExp(schema.pattern as string, 'u'));
        }
  });
});

describe('the document of what has no version', () => {
  it('is valid OpenAPI 3.1 and has the pages of operators', async () => {
    const document = JSON.parse(operatorsDocument(base, '2.5.0'));
    expect((await new Validator().validate(document)).errors).toBeUndefined();
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/admin/usage',
        '/admin/upgrade',
        '/admin/retirement',
        '/metrics',
        '/health',
        '/versions',
      ]),
    );
  });
});
