import { eventKinds } from '@perennial/schemas/event-kinds.ts';
import type { JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../document.ts';
import { pascal } from './named.ts';

/** A kind of event as a version's subscribers are sent it. */
export interface EventEntry {
  readonly kind: string;
  readonly description: string;
  /** Component that describes the body. */
  readonly schema: string;
  readonly example: JsonValue | undefined;
}

/** The kinds of events that subscriptions of a document's version are sent; none where it has no webhooks. */
export function eventsOf(document: OpenApiDocument): readonly EventEntry[] {
  const release = document.info['x-release'];
  const mapping = document.components.schemas['Event']?.discriminator?.mapping;
  if (!mapping || !document.paths['/webhooks']) return [];
  return Object.entries(eventKinds)
    .filter(([, { since }]) => since <= release)
    .flatMap(([kind, { description }]) => {
      const objectType = kind.split('.')[0] as string;
      const schema = mapping[objectType]?.split('/').at(-1);
      if (schema === undefined) return [];
      const sample = document.components.schemas[schema]?.examples?.[0];
      const example =
        typeof sample === 'object' && sample !== null
          ? { ...sample, type: kind, ...(kind.endsWith('.deleted') ? { data: null } : {}) }
          : undefined;
      return [{ kind, description, schema, example }];
    });
}

const text = (name: string, description: string, example: string): OpenApiParameter => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
});

/** What is posted to subscribers, as OpenAPI tells it. */
export function webhooksOf(document: OpenApiDocument): NonNullable<OpenApiDocument['webhooks']> {
  const release = document.info['x-release'];
  const parameters = [
    text('webhook-id', 'Identifier of the event; the same in every attempt.', 'evt_8fJ2kQ0aZrT5mWxY7bLc'),
    text('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1698831000'),
    text(
      'webhook-signature',
      'One or more signatures (Standard Webhooks): `v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>`, in base64.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
    text('Service-Version', 'The version that the body is written in.', release),
  ];
  const entries = eventsOf(document).map(({ kind, description, schema, example }) => {
    const operation: OpenApiOperation = {
      operationId: `on${pascal(kind)}`,
      summary: description.replace(/\.$/, ''),
      description: `${description} Sent to every subscription that takes \`${kind}\`. Deliveries can overtake each other and can come twice: \`sequence\` tells the order, \`webhook-id\` what was seen.`,
      tags: ['webhooks'],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            ...(example === undefined ? {} : { example }),
          },
        },
      },
      responses: {
        '204': { description: 'Taken; any 2xx within 15 seconds says so.' },
        '410': { description: 'The receiver is gone: the subscription ends.' },
      },
    };
    return [kind, { post: operation }] as const;
  });
  return Object.fromEntries(entries);
}
