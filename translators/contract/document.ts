import type { JsonSchema, JsonValue } from '@perennial/schemas/platform/json-schema.ts';

/** The part of OpenAPI 3.1 that the derived documents use. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    /** Only in published documents. */
    readonly contact?: { readonly name: string };
    readonly license?: { readonly name: string; readonly identifier: string };
    /** The dated release, `YYYY-MM-DD`. */
    readonly 'x-release': string;
    /** Only in served documents: where the release stands today. */
    readonly 'x-lifecycle'?: Readonly<Record<string, string | null>>;
  };
  readonly jsonSchemaDialect: string;
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** Only in published documents: what is posted to subscribers, by kind of event. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: JsonValue }>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** One operation of a document. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  /** Only in published documents. */
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** Empty where nobody signs in: webhooks. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Scope that a key needs. */
  readonly 'x-scope'?: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
}

/** A path, query or header parameter. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: JsonValue;
  /** What `sort` may name. */
  readonly 'x-sort-fields'?: readonly string[];
}

/** Bodies by media type. */
export type OpenApiContent = Readonly<
  Record<
    string,
    {
      readonly schema: JsonSchema;
      readonly example?: JsonValue;
      readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
    }
  >
>;

/** One answer. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: OpenApiContent;
  /** Codes that `error.code` can have. */
  readonly 'x-error-codes'?: readonly string[];
}

/** A header of an answer. */
export interface OpenApiHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** Text of a document as it is committed and served. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
