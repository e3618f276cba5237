import { createHash } from 'node:crypto';
import type { JsonSchema } from '@perennial/schemas/json-schema.ts';
import { documentText, type OpenApiDocument, type OpenApiOperation } from './document.ts';

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
  return `${headOf(document, text)}\n\n${text}`;
}

/** Whether a text is what `typesOf` gave for the document, told by the digests in its first line. */
export function areTypesOf(document: OpenApiDocument, text: string | undefined): boolean {
  if (text === undefined) return false;
  const end = text.indexOf('\n\n');
  return text.slice(0, end) === headOf(document, text.slice(end + 2));
}

function headOf(document: OpenApiDocument, text: string): string {
  const digest = (each: string): string => createHash('sha256').update(each).digest('hex').slice(0, 16);
  return [
    `/* Types of release ${document.info['x-release']}, written by \`npm run release -- lock\`. Do not edit.`,
    `   Digests: openapi.json ${digest(documentText(document))}, this text ${digest(text)}. */`,
  ].join('\n');
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
