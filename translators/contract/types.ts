import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './document.ts';

/**
 * TypeScript types of a released contract: every schema by its name, the query of every operation, and a table of
 * the operations. Made from the document alone, so that a client can make them as well.
 */
export async function typesOf(document: OpenApiDocument): Promise<string> {
  // Only whoever writes types needs it, and it is not small.
  const { compile } = await import('json-schema-to-typescript');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const queries = operations.flatMap(({ operation }) => {
    const schema = querySchema(operation);
    return schema ? [[queryName(operation), schema] as const] : [];
  });
  const schemas: Record<string, JsonSchema> = { ...document.components.schemas, ...Object.fromEntries(queries) };
  const names = Object.keys(schemas);
  const root = {
    title: 'Schemas',
    description: 'Every schema by its name.',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
    required: names,
    components: { schemas },
  };
  const types = await compile(root as Parameters<typeof compile>[0], 'Schemas', {
    bannerComment: '',
    // Unknown members are ignored, not declared: an index signature would hide every misspelt name.
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 120 },
  });
  const rows = operations.map(({ path, method, operation }) => {
    const [status = '', data] = successOf(operation);
    return [
      `  /** ${operation.summary}. */`,
      `  '${operation.operationId}': {`,
      `    method: '${method}';`,
      `    path: '${path}';`,
      `    query: ${querySchema(operation) ? queryName(operation) : 'Record<string, never>'};`,
      `    body: ${bodyName(operation) ?? 'undefined'};`,
      `    status: ${status};`,
      `    data: ${data ?? 'undefined'};`,
      '  };',
    ].join('\n');
  });
  const text = [
    types.trim(),
    '/** Every answer of success. */',
    "export type Envelope<Data> = Omit<ErrorEnvelope, 'error'> & { data: Data };",
    `/** Every operation by its id: how it is called, and the \`data\` it answers. */\nexport interface Operations {\n${rows.join('\n')}\n}`,
    '',
  ].join('\n\n');
  return `/* Types of release ${document.info['x-release']}. Made by \`npm run release -- types\`. */\n\n${text}`;
}

function querySchema(operation: OpenApiOperation): JsonSchema | undefined {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
  if (parameters.length === 0) return undefined;
  return {
    title: queryName(operation),
    description: `Query of \`${operation.operationId}\`.`,
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function queryName(operation: OpenApiOperation): string {
  const words = operation.operationId.split(/[._-]/);
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Query`;
}

function bodyName(operation: OpenApiOperation): string | undefined {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return content && nameOf(content.schema);
}

function successOf(operation: OpenApiOperation): readonly [status?: string, data?: string | undefined] {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || '$ref' in response) continue;
    const [content] = Object.values(response.content ?? {});
    if (!content) return [status];
    // One element of a stream has no envelope; bytes have no type.
    return [status, nameOf(content.schema.properties?.['data'] ?? content.schema) ?? 'unknown'];
  }
  return [];
}

function nameOf(schema: JsonSchema): string | undefined {
  return schema.$ref?.split('/').at(-1);
}
