import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import { documentationUrl, type ErrorCode, errors } from '@perennial/schemas/errors.ts';
import type { Release } from '@perennial/schemas/history.ts';
import {
  IDEMPOTENCY_HEADER_CHARS_MAX,
  IDEMPOTENCY_KEY_PATTERN,
  idempotencyErrors,
  keepsAnswer,
  takesIdempotencyKey,
} from '@perennial/schemas/idempotency.ts';
import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { commonErrors, NDJSON, type Operation, type Parameter } from '@perennial/schemas/operation.ts';
import { type JsonSchema, type JsonValue, mapRefs } from '@perennial/schemas/platform/json-schema.ts';
import { PURPOSE_HEADER, purposesOfUse } from '@perennial/schemas/purpose-of-use.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { sortPattern } from '@perennial/schemas/sort-pattern.ts';
import { titleOf } from '@perennial/schemas/variants.ts';
import type { OlderError } from '../engine/errors.ts';
import type { Translator } from '../engine/translator.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './document.ts';
import { createExamples, ExampleMissing, type Examples } from './examples.ts';
import { schemasReachedFrom } from './refs.ts';

/*
 * The OpenAPI document of a release, from its derived contract. Without a standing the document depends on nothing
 * but the contract, so that it can be committed and compared; with one it also says where the release stands today.
 */

const REQUEST_ID = 'req_8fJ2kQ0aZrT5mWxY7bLc';
const TIMESTAMP = '2023-11-01T09:30:00.000Z';

/** What one document describes: a release, or the contract between two changes of a release. */
export interface Version {
  readonly release: Release;
  readonly contract: Contract;
  readonly behaviours: Behaviours;
  readonly error: (error: ErrorBody) => OlderError;
  /** As one operation answers it, where some have errors of their own. */
  readonly errorOf?: (operation: string, error: ErrorBody) => OlderError;
}

/** What the document is made from while it is made. */
interface Making {
  readonly version: Version;
  readonly release: Release;
  readonly contract: Contract;
  readonly examples: Examples;
  readonly responses: Map<string, OpenApiResponse>;
  readonly errorExamples: Map<string, JsonValue>;
}

/**
 * The document of a release.
 * @param standing adds the lifecycle state, marks operations of a deprecated release and names the preview's path.
 */
export function openApiOf(translator: Translator, release: Release, standing?: Standing): OpenApiDocument {
  const version: Version = {
    release,
    contract: translator.contract(release.id),
    behaviours: translator.behaviours(release.id),
    error: (error) => translator.error(release.id, error),
    errorOf: (operation, error) => translator.error(release.id, error, operation),
  };
  return documentOf(version, standing);
}

/** The document of any version; see `openApiOf`. */
export function documentOf(version: Version, standing?: Standing): OpenApiDocument {
  const { release, contract } = version;
  const making: Making = {
    version,
    release,
    contract,
    examples: createExamples(contract.resources),
    responses: new Map(),
    errorExamples: new Map(),
  };
  const operations = [...contract.operations].sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Record<string, OpenApiOperation>)[operation.method.toLowerCase()] = operationOf(
      making,
      operation,
      standing,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perennial: healthcare AI service',
      version: release.semver,
      description: descriptionOf(release, standing),
      'x-release': release.id,
      ...(standing ? { 'x-lifecycle': lifecycleOf(standing) } : {}),
    },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: [{ url: standing?.state === 'preview' ? `/preview/${release.id}` : `/v${release.id}` }],
    security: securityOf(making).map(([name]) => ({ [name]: [] })),
    tags: [...new Set(operations.map(({ category }) => category))].sort(compare).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemasOf(making, operations),
      responses: sorted(making.responses),
      headers,
      examples: sorted(
        new Map(
          [...making.errorExamples].map(([code, value]) => [
            code,
            { summary: `Error ${code}`, value: value as JsonValue },
          ]),
        ),
      ),
      securitySchemes: Object.fromEntries(securityOf(making)),
    },
  };
}

function descriptionOf(release: Release, standing: Standing | undefined): string {
  const lines = [
    `Version v${release.id} of the service, called under the path \`/v${release.id}\` or with the header \`Service-Version: ${release.id}\`.`,
    'Clients must ignore response fields that they do not know. Error messages may change; error codes do not.',
    'From the day its removal is announced, every answer carries the headers Service-API-Deprecation, Deprecation, Sunset and Link; from its sunset on, every request is answered 410. `GET /versions` says where each version stands, `GET /changelog` what each changed.',
  ];
  switch (standing?.state) {
    case 'preview':
      lines.push('This version is a preview: it may change without notice and is not for production.');
      break;
    case 'deprecated':
      lines.push(
        `This version is deprecated${standing.release.sunset === undefined ? '' : ` and ends on ${standing.release.sunset}`}.`,
      );
      break;
    case 'sunset':
      lines.push('This version has reached its sunset and is no longer available.');
      break;
  }
  return lines.join('\n\n');
}

function lifecycleOf({ release, state }: Standing): Readonly<Record<string, string | null>> {
  return {
    state,
    released: release.released ?? null,
    deprecated: release.deprecated ?? null,
    sunset: release.sunset ?? null,
  };
}

function operationOf(making: Making, operation: Operation, standing: Standing | undefined): OpenApiOperation {
  // In an order of their own: which change touched which of them is not to be seen in a locked contract.
  const parameters = [
    ...operation.parameters
      .map((each) => parameterOf(making, each))
      .sort((a, b) => (`${a.in} ${a.name}` < `${b.in} ${b.name}` ? -1 : 1)),
    ...headerParameters(operation),
  ];
  const isEnding = standing?.state === 'deprecated' || standing?.state === 'sunset';
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.category],
    ...(isEnding ? { deprecated: true } : {}),
    'x-scope': operation.scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: {
              [operation.body.mediaType]: { schema: componentRef(operation.body.ref) },
              // One element a line.
              ...(operation.body.elements ? { [NDJSON]: { schema: componentRef(operation.body.elements.ref) } } : {}),
            },
          },
        }
      : {}),
    responses: responsesOf(making, operation),
  };
}

function parameterOf(making: Making, parameter: Parameter): OpenApiParameter {
  const { link } = parameter;
  const sortFields = link?.role === 'sort' ? link.fields : undefined;
  const schema = withoutStaleExamples(making, {
    ...parameter.schema,
    ...(sortFields && { pattern: sortPattern(sortFields) }),
  });
  return {
    name: parameter.name,
    in: parameter.in,
    description: sortFields
      ? `${parameter.description} One or more of ${sortFields.join(', ')}.`
      : parameter.description,
    required: parameter.required ?? false,
    schema,
    ...shownBy(() => ({
      example: sortFields
        ? `-${sortFields[0]}`
        : making.examples.ofSchema({ ...schema, ...exampleOfField(making, parameter) }, parameter.name),
    })),
    ...(sortFields ? { 'x-sort-fields': sortFields } : {}),
  };
}

/** A filter is best shown with a value of its field; an identifier with one of its own. */
function exampleOfField(making: Making, parameter: Parameter): Pick<JsonSchema, 'examples'> {
  const { link } = parameter;
  const path = link?.role === 'filter' ? (link.fields[0] as string).split('.') : [];
  let schema = link && making.contract.resources.get(link.resource);
  for (const name of path) schema = schema?.properties?.[name];
  if (path.length > 0 && schema?.examples) return { examples: schema.examples };
  const resource = /^(\w+)_id$/.exec(parameter.name)?.[1];
  for (const each of making.contract.resources.values())
    if (resource !== undefined && each.title?.toLowerCase() === resource && each.properties?.['id']?.examples)
      return { examples: each.properties['id'].examples };
  return {};
}

function headerParameters(operation: Operation): readonly OpenApiParameter[] {
  const parameters: OpenApiParameter[] = [
    {
      name: 'X-Service-Client',
      in: 'header',
      description: 'Client identifier and version, `<client_name>/<client_version>`.',
      required: false,
      schema: { type: 'string' },
      example: 'ward-dashboard/3.1',
    },
    {
      name: PURPOSE_HEADER,
      in: 'header',
      description:
        'What patient data is accessed for, as a code of HL7’s PurposeOfUse; kept in the audit trail. Anything else is refused.',
      required: false,
      schema: { type: 'string', enum: [...purposesOfUse] },
      example: 'TREAT',
    },
  ];
  if (takesIdempotencyKey(operation))
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      description: keepsAnswer(operation)
        ? 'Chosen anew for each request, plain or in quotes: the same request sent again with the same key, in any version, is carried out once and gets the first answer. Keys are kept for 24 hours at least; nothing is kept of a request that was refused.'
        : 'Checked, and otherwise without effect: the answer has no bound and is not kept, so the request is carried out each time.',
      required: false,
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: IDEMPOTENCY_HEADER_CHARS_MAX,
        pattern: IDEMPOTENCY_KEY_PATTERN,
      },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    });
  if (operation.conditional && operation.method === 'GET')
    parameters.push({
      name: 'If-None-Match',
      in: 'header',
      description: 'ETag of an earlier answer: 304 when nothing has changed.',
      required: false,
      schema: { type: 'string' },
    });
  if (operation.response.also?.[206] !== undefined)
    parameters.push({
      name: 'Range',
      in: 'header',
      description:
        'Which bytes are wanted, one range of them (RFC 9110, section 14.2). What is no such range is answered with the whole.',
      required: false,
      schema: { type: 'string' },
      example: 'bytes=0-1023',
    });
  if (operation.conditional && operation.path.includes('{') && operation.method !== 'GET')
    parameters.push({
      name: 'If-Match',
      in: 'header',
      description: 'ETag of the state the change is based on, from any version: 412 when the object has changed since.',
      required: false,
      schema: { type: 'string' },
    });
  return parameters;
}

function responsesOf(making: Making, operation: Operation): OpenApiOperation['responses'] {
  const responses: Record<string, OpenApiResponse | { $ref: string }> = {
    [operation.response.status]: successOf(making, operation),
    ...Object.fromEntries(
      Object.entries(operation.response.also ?? {}).map(([status, description]) => [
        status,
        otherSuccessOf(making, operation, Number(status), description),
      ]),
    ),
  };
  if (operation.conditional && operation.method === 'GET')
    responses['304'] = {
      description: 'Nothing has changed since the answer that If-None-Match names.',
      headers: headerRefs(['ETag', ...versionHeaderNames]),
    };
  const byStatus = new Map<number, { readonly code: string; readonly newer: ErrorCode }[]>();
  for (const newer of new Set([...errorsOfVersion(making), ...operation.errors, ...keyErrors(operation)])) {
    const older = olderError(making, newer, operation);
    if (!older) continue;
    byStatus.set(older.status, [...(byStatus.get(older.status) ?? []), { code: older.code, newer }]);
  }
  for (const [status, entries] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = errorResponse(making, status, entries);
  return responses;
}

function keyErrors(operation: Operation): readonly ErrorCode[] {
  return takesIdempotencyKey(operation) ? idempotencyErrors : [];
}

/** The answer of another status of success: like the one that is the operation's own, unless it is empty. */
function otherSuccessOf(making: Making, operation: Operation, status: number, description: string): OpenApiResponse {
  if (status === 204) return { description, headers: headerRefs(versionHeaderNames) };
  const { ref, mediaType } = operation.response;
  // A job is asked for where the envelope's `data` names it.
  const names = [
    ...(status === 202 && ref !== undefined && mediaType === undefined ? ['Content-Location'] : []),
    ...(status === 206 ? ['Content-Range'] : []),
  ];
  const own = successOf(making, operation);
  return { ...own, description, headers: { ...headerRefs(names), ...own.headers } };
}

function successOf(making: Making, operation: Operation): OpenApiResponse {
  const { status, description, ref, mediaType } = operation.response;
  const names = [
    ...(operation.conditional && ref !== undefined ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(keepsAnswer(operation) ? ['Idempotency-Replayed'] : []),
    ...versionHeaderNames,
  ];
  const content = contentOf(making, operation.response);
  const form = ref !== undefined && mediaType === NDJSON ? ` One \`${titleOf(ref)}\` a line.` : '';
  return { description: `${description}${form}`, headers: headerRefs(names), ...(content ? { content } : {}) };
}

/** An envelope, an element of a stream, or bytes. */
function contentOf(making: Making, { ref, mediaType, events }: Operation['response']): OpenApiContent | undefined {
  if (mediaType === undefined)
    return ref === undefined
      ? undefined
      : {
          'application/json': {
            schema: envelopeSchema('data', componentRef(ref)),
            ...shownBy(() => ({ example: envelopeExample(making.release, 'data', making.examples.of(ref)) })),
          },
        };
  if (events) {
    const alternatives = Object.entries(events).map(([event, each]) => ({
      type: 'object',
      title: event,
      properties: { event: { type: 'string', const: event }, data: componentRef(each) },
      required: ['event', 'data'],
    }));
    return { [mediaType]: { schema: { description: 'One event of the stream.', oneOf: alternatives } } };
  }
  return { [mediaType]: { schema: ref === undefined ? { description: 'Bytes.' } : componentRef(ref) } };
}

/** Errors that any operation of the version can end with, apart from those about the choice of the version. */
function errorsOfVersion(making: Making): readonly ErrorCode[] {
  const { behaviours } = making.version;
  return [
    ...commonErrors.filter((code) => code !== 'version_unknown'),
    ...(behaviours['credential.formats'].includes('legacy') ? [] : (['credential_format_retired'] as const)),
    ...(behaviours['credential.places'].includes('query') ? [] : (['credential_place_retired'] as const)),
  ];
}

/** Sunset is answered in the newest version's shape, of which this much is the same for all. */
function isAboutVersion(code: ErrorCode): boolean {
  return code === 'version_sunset';
}

/** Undefined for what this version answers with a success. */
function olderError(
  making: Making,
  code: ErrorCode,
  operation: Operation,
): { readonly code: string; readonly status: number } | undefined {
  if (isAboutVersion(code)) return { code, status: errors[code].status };
  const older = making.version.errorOf?.(operation.id, errorBody(code)) ?? making.version.error(errorBody(code));
  if (older.success) return undefined;
  return { code: String(older.error['code']), status: older.status ?? errors[code].status };
}

function errorBody(code: ErrorCode): ErrorBody {
  return { code, message: errors[code].message, details: [], documentation_url: documentationUrl(code) };
}

function errorResponse(
  making: Making,
  status: number,
  entries: readonly { readonly code: string; readonly newer: ErrorCode }[],
): { $ref: string } {
  const ordered = [...entries].sort((a, b) => compare(a.code, b.code));
  const codes = ordered.map(({ code }) => code);
  const name = `Error${status}_${codes.join('_')}`;
  const isVersionError = entries.every(({ newer }) => isAboutVersion(newer));
  if (!making.responses.has(name)) {
    for (const { code, newer } of ordered) {
      const body = isVersionError
        ? { code, message: errors[newer].message, supported_versions: ['v2023-10-15'] }
        : (making.version.error(errorBody(newer)).error as JsonValue);
      making.errorExamples.set(code, envelopeExample(making.release, 'error', body));
    }
    making.responses.set(name, {
      description: ordered.map(({ code, newer }) => `\`${code}\`: ${errors[newer].message}`).join('\n\n'),
      headers: headerRefs([
        ...(status === 401 ? ['WWW-Authenticate'] : []),
        ...(status === 429 || status === 503 ? ['Retry-After'] : []),
        ...versionHeaderNames,
      ]),
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${isVersionError ? 'VersionErrorEnvelope' : 'ErrorEnvelope'}` },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
      'x-error-codes': codes,
    });
  }
  return { $ref: `#/components/responses/${name}` };
}

function envelopeSchema(
  member: 'data' | 'error',
  schema: JsonSchema,
  meta: JsonSchema = { $ref: '#/components/schemas/ResponseMeta' },
): JsonSchema {
  return {
    type: 'object',
    properties: {
      requestId: {
        type: 'string',
        pattern: '^req_',
        description: 'Unique identifier of the request.',
        examples: [REQUEST_ID],
      },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When the answer was made.',
        examples: [TIMESTAMP],
      },
      meta,
      [member]: schema,
    },
    required: ['requestId', 'timestamp', 'meta', member],
  };
}

function envelopeExample(release: Release, member: 'data' | 'error', value: JsonValue): JsonValue {
  return {
    requestId: REQUEST_ID,
    timestamp: TIMESTAMP,
    meta: { processingTimeMs: 12, version: release.semver },
    [member]: value,
  };
}

function schemasOf(making: Making, operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> {
  const { contract, release, examples } = making;
  const refs = operations
    .flatMap(({ body, response }) => [body?.ref, response.ref, ...Object.values(response.events ?? {})])
    .filter((ref) => ref !== undefined);
  const schemas = new Map<string, JsonSchema>();
  for (const [ref, schema] of schemasReachedFrom(contract.resources, [...refs, 'ErrorBody'])) {
    // Within a document an `$id` would change what the references below it are relative to.
    const { $id: _, examples: __, ...rest } = withoutStaleExamples(making, schema);
    schemas.set(titleOf(ref), {
      ...toComponents({ ...rest, title: titleOf(ref) }),
      ...shownBy(() => ({ examples: [examples.of(ref)] })),
    });
  }
  schemas.set('ResponseMeta', {
    title: 'ResponseMeta',
    ...metaSchema(release.semver.split('.').slice(0, 2).join('\\.'), release),
    examples: [{ processingTimeMs: 12, version: release.semver }],
  });
  schemas.set('ErrorEnvelope', {
    title: 'ErrorEnvelope',
    description: 'Answer to a request that failed.',
    ...envelopeSchema('error', componentRef('ErrorBody')),
    ...shownBy(() => ({ examples: [envelopeExample(release, 'error', examples.of('ErrorBody'))] })),
  });
  const versionError: JsonValue = {
    code: 'version_sunset',
    message: errors.version_sunset.message,
    supported_versions: ['v2023-10-15'],
  };
  schemas.set('VersionErrorEnvelope', {
    title: 'VersionErrorEnvelope',
    description: 'Answer to a request in a version that is no longer available, whatever the version.',
    ...envelopeSchema(
      'error',
      {
        type: 'object',
        description: 'Why the request failed.',
        properties: {
          code: { type: 'string', enum: ['version_sunset'], description: 'Stable code of the error.' },
          message: { type: 'string', description: 'What went wrong and what to do.' },
          supported_versions: {
            type: 'array',
            items: { type: 'string' },
            description: 'The versions that can be called.',
          },
        },
        required: ['code', 'message', 'supported_versions'],
      },
      // The newest version answers, so `meta.version` is its own.
      metaSchema('\\d+\\.\\d+', release),
    ),
    examples: [envelopeExample(release, 'error', versionError)],
  });
  return sorted(schemas);
}

/** @param majorMinor a pattern: the patch number may change without anything else. */
function metaSchema(majorMinor: string, release: Release): JsonSchema {
  return {
    description: 'What every answer says of itself.',
    type: 'object',
    properties: {
      processingTimeMs: { type: 'integer', minimum: 0, description: 'Processing time in milliseconds.' },
      version: {
        type: 'string',
        pattern: `^${majorMinor}\\.\\d+$`,
        description: 'Version of the API, MAJOR.MINOR.PATCH.',
        examples: [release.semver],
      },
    },
    required: ['processingTimeMs', 'version'],
  };
}

/** Examples of members follow renames but not conversions: those that no longer fit are left out. */
function withoutStaleExamples(making: Making, schema: JsonSchema): JsonSchema {
  const inner = (each: JsonSchema): JsonSchema => withoutStaleExamples(making, each);
  const { examples, ...rest } = schema;
  const fitting = examples?.filter((value) => making.examples.faults(rest, value).length === 0) ?? [];
  return {
    ...rest,
    ...(fitting.length > 0 ? { examples: fitting } : {}),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: inner(schema.additionalProperties),
    }),
  };
}

/** References as a document writes them, those of discriminators too. */
function toComponents(schema: JsonSchema): JsonSchema {
  return withMappings(mapRefs(schema, (ref) => `#/components/schemas/${titleOf(ref)}`));
}

function withMappings(schema: JsonSchema): JsonSchema {
  const mapping = schema.discriminator?.mapping;
  return {
    ...schema,
    ...(schema.discriminator && mapping
      ? {
          discriminator: {
            ...schema.discriminator,
            mapping: Object.fromEntries(
              Object.entries(mapping).map(([word, ref]) => [word, `#/components/schemas/${titleOf(ref)}`]),
            ),
          },
        }
      : {}),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [name, withMappings(each)]),
      ),
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(withMappings) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(withMappings) }),
    ...(schema.items && { items: withMappings(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: withMappings(schema.additionalProperties),
    }),
  };
}

/** An example, or nothing where none is known: the lint of the contract asks for it, the document is still true. */
function shownBy<T extends object>(make: () => T): T | Record<string, never> {
  try {
    return make();
  } catch (error) {
    if (error instanceof ExampleMissing) return {};
    throw error;
  }
}

function componentRef(ref: string): JsonSchema {
  return { $ref: `#/components/schemas/${titleOf(ref)}` };
}

function securityOf({ version: { behaviours } }: Making): [string, Record<string, string>][] {
  const formats = behaviours['credential.formats']
    .map((format) => (format === 'current' ? 'hai_<live|test>_…' : 'sk_…'))
    .join(' or ');
  return behaviours['credential.places'].map((place) =>
    place === 'header'
      ? ['bearer', { type: 'http', scheme: 'bearer', bearerFormat: formats, description: 'An API key.' }]
      : [
          'apiKeyInQuery',
          { type: 'apiKey', in: 'query', name: 'api_key', description: `An API key, ${formats}, in the address.` },
        ],
  );
}

/** Headers of every answer. Those of deprecation are sent from the announced day on; see `info.description`. */
const versionHeaderNames = [
  'Service-Version',
  'X-Request-Id',
  'Vary',
  'Cache-Control',
  'Service-API-Deprecation',
  'Deprecation',
  'Sunset',
  'Link',
  'Service-API-Preview',
];

function header(description: string, example: string, schema: JsonSchema = {}): OpenApiHeader {
  return { description, schema: { type: 'string', ...schema, examples: [example] } };
}

const headers: Readonly<Record<string, OpenApiHeader>> = {
  'Cache-Control': header(
    'Nobody on the way keeps answers. A client may keep them itself, with their ETag.',
    'no-store',
  ),
  'Content-Location': header('Path of the job.', '/v2023-10-15/jobs/job_8fJ2kQ0aZrT5mWxY7bLc'),
  'Content-Range': header('Which bytes these are, of how many (RFC 9110, section 14.4).', 'bytes 0-1023/146515'),
  Deprecation: header('While deprecated: since when (RFC 9745).', '@1692230400'),
  ETag: header('The state of the object in this version.', 'W/"3.k1Yb0aZq"'),
  'Idempotency-Replayed': header('`true` when this answer was given before to the same Idempotency-Key.', 'true', {
    enum: ['true'],
  }),
  Link: header('While deprecated: where to read on.', '</changelog>; rel="deprecation"; type="text/markdown"'),
  Location: header('Path of the object created.', '/v2023-10-15/patients/pat_8fJ2kQ0aZrT5mWxY7bLc'),
  'Retry-After': header('Seconds to wait before trying again.', '30'),
  'Service-API-Deprecation': header(
    'While deprecated: the version, its sunset and what to do.',
    'version=v2022-11-15; sunset=2023-11-15; Please migrate to v2023-10-15 or later',
  ),
  'Service-API-Preview': header(
    'While in preview: that the version may change.',
    'version=v2023-10-15; it may change without notice and is not for production',
  ),
  'Service-Version': header('The release that was served.', '2023-10-15', { format: 'date' }),
  Sunset: header('While deprecated: when it ends (RFC 8594).', 'Wed, 15 Nov 2023 00:00:00 GMT'),
  Vary: header('What the answer depends on.', 'Service-Version, X-Service-Version, Authorization, Accept'),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer'),
  'X-Request-Id': header('The same as `requestId`.', REQUEST_ID),
};

function headerRefs(names: readonly string[]): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function sorted<T>(map: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries([...map].sort(([a], [b]) => compare(a, b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
