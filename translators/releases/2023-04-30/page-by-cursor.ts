import Type from 'typebox';
import { change } from '../../engine/change.ts';
import { relate } from '../../engine/describe.ts';

const DEFAULT_LIMIT = 20;

/** What the answer needs to know of the request. */
interface OffsetRequest {
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page at an offset costs one request to core, whatever the offset: core starts at the position and counts. When
 * entries are inserted or deleted between two requests, later pages shift by as many, as they always did by offset.
 */
export const pageByCursor = change({
  id: 'page-by-cursor',
  sentence:
    'Lists are read by `cursor`: a page has `next_cursor` and `has_more` where it had `total`, `offset` and `limit`, so that no entry is skipped or repeated when others are added meanwhile.',
  resources: [
    {
      resource: 'Page',
      edits: [
        relate({
          older: [
            {
              path: 'total',
              schema: Type.Integer({ minimum: 0, description: 'Entries in the whole list.' }),
            },
            {
              path: 'offset',
              schema: Type.Integer({ minimum: 0, description: 'Entries skipped before this page.' }),
            },
            {
              path: 'limit',
              schema: Type.Integer({ minimum: 1, maximum: 100, description: 'Most entries on a page.' }),
            },
          ],
          newer: ['next_cursor', 'has_more', 'total'],
          down: ([, , total], _priors, context) => {
            const { offset, limit } = context as OffsetRequest;
            return [total, offset, limit];
          },
        }),
      ],
    },
  ],
  operations: [
    {
      kind: 'query',
      of: 'pages',
      removes: ['cursor', 'include_total'],
      adds: [
        {
          name: 'offset',
          in: 'query',
          description: 'Entries to skip.',
          schema: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
        },
      ],
      up: ({ offset: given, ...query }) => {
        const offset = typeof given === 'number' ? given : 0;
        const limit = typeof query['limit'] === 'number' ? query['limit'] : DEFAULT_LIMIT;
        return {
          query: { ...query, include_total: true },
          context: { offset, limit } satisfies OffsetRequest,
          // The next page is at offset + limit: what this one left out would never be asked for.
          pageEntries: limit,
          ...(offset > 0 ? { offset } : {}),
        };
      },
    },
  ],
});
