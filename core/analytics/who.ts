import { Prisma } from '@perennial/prisma/client.ts';

/** The people of a look for whom one of these sets of criteria holds. */
export interface Who {
  readonly table: Prisma.Sql;
  readonly masks: readonly number[];
}

/** Whether a row of the look, `who`, is one of them. */
export function isOneOf({ masks }: Who): Prisma.Sql {
  return Prisma.sql`who.mask = ANY (${[...masks]}::int[])`;
}
