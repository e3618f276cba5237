import type { Operation } from '@perennial/schemas/operation.ts';
import { isObject, type JsonObject, type JsonSchema, mapRefs } from '@perennial/schemas/platform/json-schema.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { ForeignContract } from './contract-in.ts';
import { deref, resourceName } from './schema-in.ts';

/**
 * The service's OpenAPI document as it holds at a release: schemas, paths, methods and parameters of that version, and
 * everything else as the service wrote it.
 * @param document of head. @param foreign what was read from it.
 */
export function documentAt(
  document: JsonObject,
  foreign: ForeignContract,
  translator: Translator,
  release: string,
): JsonObject {
  const { resources, operations } = translator.contract(release);
  const components = isObject(document['components']) ? document['components'] : {};
  const named = isObject(components['schemas']) ? components['schemas'] : {};
  const byResource = new Map(Object.keys(named).map((component) => [resourceName(component), component]));
  const publicSchema = (schema: JsonSchema): JsonSchema => {
    const { $id: _, ...rest } = mapRefs(schema, (ref) =>
      byResource.has(ref) ? `#/components/schemas/${byResource.get(ref)}` : ref,
    );
    return rest;
  };
  const schemas = Object.fromEntries(
    [...byResource].map(([resource, component]) => [component, publicSchema(resources.get(resource) as JsonSchema)]),
  );
  const given = operationsOf(document);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const original = given.get(operation.id);
    if (!original) continue;
    const unnamed = (name: string): JsonSchema | undefined =>
      foreign.unnamed.has(name) ? publicSchema(resources.get(name) as JsonSchema) : undefined;
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationAt(document, original, operation, publicSchema, unnamed),
    };
  }
  const info = isObject(document['info']) ? document['info'] : {};
  return {
    ...document,
    openapi: '3.1.0',
    info: { ...info, version: release },
    servers: [{ url: `/v${release}` }],
    paths,
    components: { ...components, schemas },
  };
}

function operationsOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(isObject(document['paths']) ? document['paths'] : {}))
    for (const [method, given] of Object.entries(deref(document, item)))
      if (isObject(given) && given['responses'] !== undefined)
        found.set(
          resourceName(String(given['operationId'] ?? `${method.toUpperCase()}${path.replace(/[^A-Za-z0-9]+/g, '_')}`)),
          given,
        );
  return found;
}

function operationAt(
  document: JsonObject,
  original: JsonObject,
  operation: Operation,
  publicSchema: (schema: JsonSchema) => JsonSchema,
  unnamed: (name: string) => JsonSchema | undefined,
): JsonObject {
  const headers = (Array.isArray(original['parameters']) ? original['parameters'] : []).filter((each) =>
    ['header', 'cookie'].includes(String(deref(document, each)['in'])),
  );
  const parameters = operation.parameters.map(({ name, in: where, description, schema, required }) => ({
    name,
    in: where,
    description,
    required: required === true,
    schema: publicSchema(schema),
  }));
  const responses = Object.entries(isObject(original['responses']) ? original['responses'] : {}).map(
    ([status, response]) => [status, withSchema(document, response, unnamed(`${operation.id}Answer${status}`))],
  );
  const { requestBody, ...rest } = original;
  return {
    ...rest,
    parameters: [...parameters, ...headers],
    ...(requestBody !== undefined && {
      requestBody: withSchema(document, requestBody, unnamed(`${operation.id}Body`)),
    }),
    responses: Object.fromEntries(responses),
  };
}

/** A body with the schema that holds at the release, where it is described on the spot and is JSON. */
function withSchema(document: JsonObject, given: unknown, schema: JsonSchema | undefined): unknown {
  const body = deref(document, given);
  if (schema === undefined || !isObject(body['content'])) return given;
  const content = Object.entries(body['content']).map(([type, media]) => [
    type,
    isObject(media) && /json/.test(type) ? { ...media, schema } : media,
  ]);
  return { ...body, content: Object.fromEntries(content) };
}
