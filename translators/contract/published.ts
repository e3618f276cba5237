import { IDEMPOTENCY_KEY_CHARS_MAX } from '@perennial/schemas/idempotency.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './document.ts';
import { webhooksOf } from './published/events.ts';
import { mediaTypesOf } from './published/media-types.ts';
import { type Names, nameSchemas, withNames } from './published/named.ts';
import { descriptionOf, tagOf, tagsOf } from './published/wording.ts';

/*
 * The document as it is served. The locked contract says what is promised and nothing else, so that it can be compared;
 * this one says the same in the way that generators, viewers and linters want it: named envelopes and unions, examples
 * of bodies, descriptions, precise media types, the webhooks, and an address that can be called.
 */

/** The published form of a contract's document. @param base address of the service, without a path. */
export function publishedOf(document: OpenApiDocument, base: string): OpenApiDocument {
  const names = nameSchemas(document.components.schemas);
  const found: string[] = ['webhooks'];
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => {
      const tag = tagOf(path);
      found.push(tag);
      const entries = Object.entries(methods).map(([method, operation]) => [
        method,
        operationOf(document, names, { path, method, tag }, operation),
      ]);
      return [path, Object.fromEntries(entries)];
    }),
  );
  const webhooks = webhooksOf(document);
  const isUsed = (name: string): boolean => name !== 'webhooks' || Object.keys(webhooks).length > 0;
  const { info, servers, components } = document;
  return {
    ...document,
    info: {
      ...info,
      contact: { name: 'The platform team' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: servers.map(({ url }) => ({ url: `${base}${url}`, description: `Version v${info['x-release']}` })),
    tags: tagsOf(found.filter(isUsed)),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: { ...components, schemas: sortedSchemas(names), headers: usedHeaders(document) },
  };
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly tag: string;
}

function operationOf(
  document: OpenApiDocument,
  names: Names,
  { path, method, tag }: Place,
  operation: OpenApiOperation,
): OpenApiOperation {
  const { operationId, summary, parameters, requestBody, responses, ...rest } = operation;
  return {
    operationId,
    summary,
    description: descriptionOf(method, operation),
    ...rest,
    tags: [tag],
    ...(parameters && { parameters: parameters.map(parameterOf) }),
    ...(requestBody && { requestBody: { ...requestBody, content: withExamples(document, requestBody.content) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          '$ref' in response
            ? response
            : withNames(names, operationId, withTypes(mediaTypesOf({ id: operationId, path }), response)),
        ]),
      ),
      ...streamEnd(responses),
    },
  };
}

/** A stream that is resumed behind its last event has nothing more. */
function streamEnd(responses: OpenApiOperation['responses']): OpenApiOperation['responses'] {
  const isStream = Object.values(responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'] !== undefined,
  );
  return isStream ? { '204': { description: 'Resumed with Last-Event-ID after the last event.' } } : {};
}

/** The plain form of a key, whose length is that of the header; the service takes it in quotes as well. */
function parameterOf(parameter: OpenApiParameter): OpenApiParameter {
  if (parameter.name !== 'Idempotency-Key') return parameter;
  return {
    ...parameter,
    description: `${parameter.description} At most ${IDEMPOTENCY_KEY_CHARS_MAX} characters, quotes not counted.`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARS_MAX,
      pattern: '^[!#-+.-~-]([ !#-+.-~-]*[!#-+.-~-])?$',
    },
  };
}

/** Every body shown as its schema shows itself; one that is lines, as one line. */
function withExamples(document: OpenApiDocument, content: OpenApiContent): OpenApiContent {
  return Object.fromEntries(
    Object.entries(content).map(([type, entry]) => {
      const name = entry.schema.$ref?.split('/').at(-1);
      const example = name === undefined ? undefined : document.components.schemas[name]?.examples?.[0];
      return [type, { ...entry, ...(example === undefined ? {} : { example }) }];
    }),
  );
}

const DICOM_JSON_MODEL: JsonSchema = {
  type: 'array',
  description: 'Data sets in the DICOM JSON model (PS3.18, annex F): attributes by tag.',
  items: { type: 'object', additionalProperties: true },
};

function withTypes(types: readonly string[], response: OpenApiResponse): OpenApiResponse {
  if (response.content?.['*/*'] === undefined) return response;
  const bytes: JsonSchema = { type: 'string', format: 'binary', description: 'Bytes.' };
  const content = types.map((type) => [type, { schema: type.endsWith('json') ? DICOM_JSON_MODEL : bytes }]);
  return { ...response, content: Object.fromEntries(content) };
}

/** Headers that an answer names. */
function usedHeaders({ components, paths }: OpenApiDocument): OpenApiDocument['components']['headers'] {
  const text = JSON.stringify([paths, components.responses]);
  const used = Object.entries(components.headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  // The contract was locked when tags were weak; a client treats both alike.
  return Object.fromEntries(
    used.map(([name, header]) => [
      name,
      name === 'ETag' ? { ...header, schema: { ...header.schema, examples: ['"3.k1Yb0aZq"'] } } : header,
    ]),
  );
}

function sortedSchemas({ schemas }: Names): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}
