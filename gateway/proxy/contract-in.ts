import { type Contract, head as own } from '@perennial/schemas/contract.ts';
import type { FieldLink, Method, Operation, Parameter } from '@perennial/schemas/operation.ts';
import { isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { DocumentRefused, deref, resourceName, schemaIn } from './schema-in.ts';

/** An OpenAPI document as the engine works with it. */
export interface ForeignContract {
  readonly contract: Contract;
  /** What each operation answers, by status (`200`, `4XX`, `default`): a reference of the contract. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** References that the document has no name for, of bodies that are described where they are used. */
  readonly unnamed: ReadonlySet<string>;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const STREAMS: Readonly<Record<string, string>> = {
  'text/event-stream': 'text/event-stream',
  'application/x-ndjson': 'application/x-ndjson',
  'application/ndjson': 'application/x-ndjson',
  'application/jsonl': 'application/x-ndjson',
};
/** Resources that the engine has an own use for, where the document has none of the name. */
const OWN = ['Page', 'ErrorBody', 'ErrorDetail'];

/**
 * Reads an OpenAPI document. Every schema of its components is a resource under its own name; the rest of what the engine
 * needs to know stands in extensions: `x-since` of an operation, `x-field` of a parameter, `x-events` of a stream.
 * @throws {DocumentRefused} naming the operation or component.
 */
export function contractIn(document: JsonObject): ForeignContract {
  const resources = new Map<string, JsonSchema>();
  const components = isObject(document['components']) ? document['components']['schemas'] : undefined;
  for (const [component, schema] of Object.entries(isObject(components) ? components : {})) {
    const name = resourceName(component);
    if (resources.has(name)) throw new DocumentRefused(`two components are called ${name}`);
    resources.set(name, { ...naming(`component ${component}`, () => schemaIn(document, schema)), $id: name });
  }
  for (const name of OWN) if (!resources.has(name)) resources.set(name, own.resources.get(name) as JsonSchema);
  const reader = new Reader(document, resources);
  const paths = isObject(document['paths']) ? document['paths'] : {};
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) {
      const given = deref(document, item)[method.toLowerCase()];
      if (isObject(given))
        naming(`${method} ${path}`, () => reader.operation(method, path, given, deref(document, item)));
    }
  if (reader.operations.length === 0) throw new DocumentRefused('the document has no operations');
  return {
    contract: { resources, operations: withUpdates(reader.operations, resources) },
    answers: reader.answers,
    unnamed: reader.unnamed,
  };
}

function naming<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentRefused) throw new DocumentRefused(`${what}: ${error.message}`);
    throw error;
  }
}

class Reader {
  readonly operations: Operation[] = [];
  readonly answers = new Map<string, ReadonlyMap<string, string>>();
  readonly unnamed = new Set<string>();
  readonly #document: JsonObject;
  readonly #resources: Map<string, JsonSchema>;

  constructor(document: JsonObject, resources: Map<string, JsonSchema>) {
    this.#document = document;
    this.#resources = resources;
  }

  operation(method: Method, path: string, given: JsonObject, item: JsonObject): void {
    const id = resourceName(String(given['operationId'] ?? `${method}${path.replace(/[^A-Za-z0-9]+/g, '_')}`));
    if (this.answers.has(id)) throw new DocumentRefused(`another operation is called ${id}`);
    const body = this.#body(id, method, given['requestBody']);
    const { since, response } = { since: given['x-since'], response: this.#response(id, given) };
    this.operations.push({
      id,
      method,
      path,
      category: String((Array.isArray(given['tags']) && given['tags'][0]) || 'operations'),
      summary: String(given['summary'] ?? id),
      scope: 'any',
      ...(typeof since === 'string' && { since }),
      parameters: this.#parameters(item['parameters'], given['parameters']),
      ...(body && { body }),
      response,
      errors: [],
    });
  }

  #parameters(shared: unknown, given: unknown): readonly Parameter[] {
    const found = new Map<string, Parameter>();
    for (const each of [shared, given].flatMap((list) => (Array.isArray(list) ? list : []))) {
      const parameter = deref(this.#document, each);
      const where = parameter['in'];
      if (where !== 'path' && where !== 'query') continue;
      const schema = schemaIn(this.#document, parameter['schema']);
      const link = parameter['x-field'];
      const name = String(parameter['name']);
      found.set(`${where} ${name}`, {
        name,
        in: where,
        description: String(parameter['description'] ?? name),
        schema: schema.$ref === undefined ? schema : (this.#resources.get(schema.$ref) ?? schema),
        ...((where === 'path' || parameter['required'] === true) && { required: true }),
        ...(isObject(link) && { link: link as unknown as FieldLink }),
        ...(schema.type === 'array' && { repeatable: true }),
      });
    }
    return [...found.values()];
  }

  #body(id: string, method: Method, given: unknown): Operation['body'] {
    if (given === undefined) return undefined;
    const { content } = deref(this.#document, given);
    const json = jsonOf(content);
    if (!json) return { ref: this.#refOf(`${id}Body`, {}), mediaType: 'multipart/form-data' };
    const ref = this.#refOf(`${id}Body`, json.schema);
    const mediaType = json.type === 'application/merge-patch+json' ? json.type : 'application/json';
    return { ref: this.#variant(ref, method), mediaType };
  }

  /** What may be written of a resource; what is no object is written as it is read. */
  #variant(ref: string, method: Method): string {
    const schema = this.#resources.get(ref);
    if (schema?.properties === undefined && schema?.discriminator === undefined) return ref;
    return `${ref}.${method === 'PATCH' ? 'patch' : method === 'PUT' ? 'replace' : 'create'}`;
  }

  #response(id: string, given: JsonObject): Operation['response'] {
    const answers = new Map<string, string>();
    let main: { status: number; ref?: string; mediaType?: string; events?: Record<string, string> } | undefined;
    const responses = Object.entries(isObject(given['responses']) ? given['responses'] : {});
    for (const [status, each] of responses.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const response = deref(this.#document, each);
      const json = jsonOf(response['content']);
      const types = Object.keys(isObject(response['content']) ? response['content'] : {});
      const streamed = types.find((type) => STREAMS[baseOf(type)] !== undefined);
      if (json) answers.set(status, this.#refOf(`${id}Answer${status}`, json.schema));
      if (main || !/^2/.test(status)) continue;
      main = { status: status === '2XX' ? 200 : Number(status) };
      const element = streamed === undefined ? undefined : this.#element(id, response['content'], streamed);
      const ref = element?.ref ?? answers.get(status);
      if (ref !== undefined) main.ref = ref;
      if (element) main.events = element.events;
      const mediaType = streamed === undefined ? (json ? undefined : types[0]) : STREAMS[baseOf(streamed)];
      if (mediaType !== undefined) main.mediaType = mediaType;
      if (element && Object.keys(element.events).length === 0) delete main.events;
    }
    this.answers.set(id, answers);
    return { ...(main ?? { status: 200 }), description: 'As the service answers.' };
  }

  /** One element of a stream, and of each event that has a name. */
  #element(id: string, content: unknown, type: string): { ref?: string; events: Record<string, string> } {
    const media = deref(this.#document, (content as JsonObject)[type]);
    const schema = media['itemSchema'] ?? media['schema'];
    const named = isObject(media['x-events']) ? media['x-events'] : {};
    const events = Object.fromEntries(
      Object.entries(named).map(([name, each]) => [name, this.#refOf(`${id}Event_${resourceName(name)}`, each)]),
    );
    return schema === undefined ? { events } : { ref: this.#refOf(`${id}Element`, schema), events };
  }

  /** The reference of a schema: its own name, or one made for what the document describes on the spot. */
  #refOf(name: string, given: unknown): string {
    const schema = schemaIn(this.#document, given);
    if (schema.$ref !== undefined) return schema.$ref;
    this.#resources.set(name, { ...schema, $id: name });
    this.unnamed.add(name);
    return name;
  }
}

function baseOf(type: string): string {
  return (type.split(';')[0] as string).trim().toLowerCase();
}

/** Whether a media type is JSON of which the engine knows the form: a JSON Patch is a program, not an object. */
function isJson(type: string): boolean {
  const base = baseOf(type);
  return (/^application\/([\w.+-]+\+)?json$/.test(base) || base === '*/*') && base !== 'application/json-patch+json';
}

/** The JSON form of a body, if it has one. */
function jsonOf(content: unknown): { readonly type: string; readonly schema: unknown } | undefined {
  const found = Object.entries(isObject(content) ? content : {}).find(([type]) => isJson(type));
  if (!found || !isObject(found[1])) return undefined;
  return { type: baseOf(found[0]), schema: found[1]['schema'] };
}

/**
 * A PUT or PATCH where the same path is read: what an older version cannot see of the stored object must outlive its
 * write. With a patch that goes as one; without, the object is read, changed and written whole.
 */
function withUpdates(
  operations: readonly Operation[],
  resources: ReadonlyMap<string, JsonSchema>,
): readonly Operation[] {
  const at = (path: string, method: Method): Operation | undefined =>
    operations.find((each) => each.path === path && each.method === method);
  const resourceOf = ({ body }: Operation): string | undefined => body?.ref.replace(/\.\w+$/, '');
  return operations.map((operation) => {
    const { method, path } = operation;
    const resource = resourceOf(operation);
    const read = at(path, 'GET');
    if (method !== 'PUT' && method !== 'PATCH') return operation;
    // What is written must be what is read, or nothing is known of the rest.
    if (!read || resource === undefined || read.response.ref !== resource) return operation;
    if (resources.get(resource)?.properties === undefined) return operation;
    const patch = at(path, 'PATCH');
    const target = patch && resourceOf(patch) === resource ? patch : operation;
    return {
      ...operation,
      update: { read: read.id, patch: target.id, mode: method === 'PUT' ? 'replace' : 'patch' },
    };
  });
}
