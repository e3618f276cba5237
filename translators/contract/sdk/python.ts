import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonSchema, typesOf } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiOperation } from '../document.ts';
import { publishedOf } from '../published.ts';
import { type LockedRelease, operationsOf, type PackageOptions } from './typescript.ts';

const OWN = join(import.meta.dirname, 'python');

/** Makes the Python package `perennial_client` in a folder: a module for each version, of the standard library alone. */
export async function makePython(
  releases: readonly LockedRelease[],
  out: string,
  { version }: Pick<PackageOptions, 'version'>,
): Promise<void> {
  const folder = join(out, 'perennial_client');
  await rm(out, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(OWN, 'client.py'), join(folder, 'client.py'));
  await writeFile(join(folder, 'py.typed'), '');
  await writeFile(
    join(folder, '__init__.py'),
    '"""A typed client of the Perennial service: `from perennial_client.v2023_10_15 import Client`."""\n\nfrom .client import *  # noqa: F403\n',
  );
  for (const release of releases) await writeFile(join(folder, `${moduleOf(release.id)}.py`), moduleText(release));
  await writeFile(
    join(out, 'pyproject.toml'),
    `[build-system]\nrequires = ["setuptools>=61"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "perennial-client"\nversion = "${version}"\nrequires-python = ">=3.11"\nlicense = { text = "Apache-2.0" }\n\n[tool.setuptools.package-data]\nperennial_client = ["py.typed"]\n`,
  );
}

function moduleOf(id: string): string {
  return `v${id.replaceAll('-', '_')}`;
}

function moduleText({ id, document }: LockedRelease): string {
  const { schemas } = publishedOf(document, '').components;
  const types = Object.entries(schemas).map(([name, schema]) => typeText(name, schema));
  const methods = operationsOf(document).map((each) => methodText(each.method, each.path, each.operation));
  return [
    `"""Version v${id} of the service. Members and words that came later are passed on as they are."""`,
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Iterator, Mapping, Optional, TypedDict, Union',
    'from typing import NotRequired, Required  # noqa: F401',
    '',
    'from .client import Service, StreamEvent',
    '',
    ...types,
    '',
    'class Client(Service):',
    `    """Calls the service in v${id}."""`,
    '',
    `    VERSION = "${id}"`,
    '',
    ...methods,
  ].join('\n');
}

/** A schema by name. The functional form takes every name of a member, whether Python knows it as a word or not. */
function typeText(name: string, schema: JsonSchema): string {
  if (!schema.properties) return `${name} = ${quoted(schema)}\n`;
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties).map(
    ([key, each]) =>
      `    ${JSON.stringify(key)}: ${required.has(key) ? 'Required' : 'NotRequired'}[${JSON.stringify(typeOf(each))}],`,
  );
  return `${name} = TypedDict(${JSON.stringify(name)}, {\n${members.join('\n')}\n})\n`;
}

/** An alias is made when the module is read, so what it names stands in quotes. */
function quoted(schema: JsonSchema): string {
  const text = typeOf(schema);
  return /^(?:Any|str|int|float|bool)$/.test(text) ? text : `Union[${JSON.stringify(text)}, Any]`;
}

/** The Python type of a schema. Words are text: a later service may send others. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ');
  const types = typesOf(schema).map((type) => {
    switch (type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${schema.items ? typeOf(schema.items) : 'Any'}]`;
      default:
        return typeof schema.additionalProperties === 'object'
          ? `dict[str, ${typeOf(schema.additionalProperties)}]`
          : 'dict[str, Any]';
    }
  });
  return types.length === 0 ? 'Any' : types.join(' | ');
}

const RESERVED: ReadonlySet<string> = new Set([
  'from',
  'class',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'for',
  'to',
  'import',
  'global',
  'def',
  'with',
  'as',
  'body',
  'headers',
  'self',
]);

/** A parameter as Python may call it. */
function wordOf(name: string): string {
  const word = name.replace(/\W/g, '_');
  return RESERVED.has(word) || /^\d/.test(word) ? `${word}_` : word;
}

function methodText(method: string, path: string, operation: OpenApiOperation): string {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((each) => each.in === 'path');
  const inQuery = parameters.filter((each) => each.in === 'query');
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isJson = mediaType?.endsWith('json') === true;
  const body = content === undefined ? [] : [`body: ${isJson ? typeOf(content.schema) : 'bytes'}`];
  const optional = [
    ...inQuery.map(({ name, schema, required }) =>
      required ? `${wordOf(name)}: ${typeOf(schema)}` : `${wordOf(name)}: Optional[${typeOf(schema)}] = None`,
    ),
    'headers: Optional[Mapping[str, str]] = None',
  ];
  const signature = ['self', ...inPath.map(({ name }) => `${wordOf(name)}: str`), ...body, '*', ...optional];
  const { kind, type } = answerOf(operation);
  const keyed = parameters.some(({ name }) => name === 'Idempotency-Key') ? 'True' : 'False';
  const pairs = (all: typeof parameters): string =>
    `{${all.map(({ name }) => `${JSON.stringify(name)}: ${wordOf(name)}`).join(', ')}}`;
  const call = [
    JSON.stringify(method),
    JSON.stringify(path),
    pairs(inPath),
    pairs(inQuery),
    content === undefined ? 'None' : 'body',
    mediaType === undefined ? 'None' : JSON.stringify(mediaType),
    keyed,
    kind === '_events' ? '{"Accept": "text/event-stream", **(headers or {})}' : 'headers',
  ];
  return [
    `    def ${operation.operationId.replace(/\W/g, '_')}(${signature.join(', ')}) -> ${type}:`,
    `        """${operation.summary}."""`,
    `        return self.${kind}(${call.join(', ')})  # type: ignore[no-any-return]`,
    '',
  ].join('\n');
}

function answerOf({ responses }: OpenApiOperation): { readonly kind: string; readonly type: string } {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2') || '$ref' in response) continue;
    const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
    if (type === undefined || content === undefined) return { kind: '_data', type: 'None' };
    const data = content.schema.properties?.['data'];
    if (type === 'text/event-stream') return { kind: '_events', type: 'Iterator[StreamEvent]' };
    if (type === 'application/x-ndjson') return { kind: '_lines', type: `Iterator[${typeOf(content.schema)}]` };
    return type === 'application/json' && data
      ? { kind: '_data', type: typeOf(data) }
      : { kind: '_bytes', type: 'bytes' };
  }
  return { kind: '_data', type: 'None' };
}
