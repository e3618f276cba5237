import Type, { type Static } from 'typebox';

/** Bytes of what is stored that one page has at most, unless its first entry alone has more. */
export const PAGE_BYTES_MAX = 1_048_576;

/**
 * One page of a list. Generic: `Patient.page` is this schema with `items` of `Patient`, so a change of how pages
 * work is described once, on `Page`.
 */
export const Page = Type.Object(
  {
    items: Type.Array(Type.Unsafe<unknown>({ $ref: '#item' }), {
      maxItems: 100,
      description: 'The entries of this page, in the order asked for.',
    }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Send it as `cursor` to get the next page; null on the last page.',
    }),
    has_more: Type.Boolean({
      description:
        'Whether entries follow this page. One whose entries are long holds fewer than `limit`: it ends before what would bring it over 1 MiB, and always has one.',
    }),
    total: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Entries in the whole list; only when `include_total=true` was asked.' }),
    ),
  },
  { $id: 'Page', title: 'Page', description: 'One page of a list.' },
);

/** A page of `T` as core answers it. */
export type Page<T> = Omit<Static<typeof Page>, 'items'> & { items: T[] };
