import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  afterCommit,
  asUnit,
  joiningUnits,
  outsideUnit,
  type UnitBounds,
} from '@perennial/core/platform/unit-of-work.ts';
import type { Database } from '@perennial/prisma/client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
/** As services hold it. */
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = joiningUnits(database.db);
});
beforeEach(async () => {
  await database.db.blobIntent.deleteMany();
});
afterAll(() => database.close());

const add = (key: string, to: Pick<Database, 'blobIntent'> = db): Promise<unknown> =>
  to.blobIntent.create({ data: { key } });

/** As everybody outside sees it. */
async function committed(): Promise<readonly string[]> {
  const rows = await database.db.blobIntent.findMany({ orderBy: { key: 'asc' } });
  return rows.map(({ key }) => key);
}

const bounds: UnitBounds<unknown> = { opens: 'early', begin: async () => undefined, end: async () => undefined };
const late: UnitBounds<unknown> = { ...bounds, opens: 'late' };
const boom = new Error('boom');
const fail = async (): Promise<never> => {
  throw boom;
};

describe.each([
  ['early', bounds],
  ['late', late],
])('a unit that opens %s', (_name, opening) => {
  test('commits its transactions and what surrounds them together, at its end', async () => {
    const seen: (readonly string[])[] = [];
    const result = await asUnit(
      db,
      { ...opening, begin: (transaction) => add('begin', transaction).then(), end: (t) => add('end', t).then() },
      async () => {
        await db.$transaction(async (transaction) => {
          await add('one', transaction);
          await add('two');
        });
        await add('three');
        await db.$transaction([db.blobIntent.create({ data: { key: 'four' } })]);
        expect(await db.blobIntent.count()).toBe(5);
        seen.push(await committed());
        return 'result';
      },
    );
    expect(result).toBe('result');
    expect(seen).toEqual([[]]);
    expect(await committed()).toEqual(['begin', 'end', 'four', 'one', 'three', 'two']);
  });

  test.each(['the work', 'the end'])('undoes everything when %s fails', async (where) => {
    const work = async (): Promise<void> => {
      await db.$transaction((transaction) => add('one', transaction));
      await add('two');
      if (where === 'the work') throw boom;
    };
    const end = where === 'the end' ? fail : opening.end;
    await expect(asUnit(db, { ...opening, end }, work)).rejects.toBe(boom);
    expect(await committed()).toEqual([]);
  });

  test('throws to the work what its beginning throws, and is over', async () => {
    const told: unknown[] = [];
    const work = async (): Promise<void> => {
      await db.$transaction((transaction) => add('one', transaction)).catch((error: unknown) => told.push(error));
      // As whoever must clear up afterwards does.
      await add('cleared');
      throw told[0];
    };
    await expect(asUnit(db, { ...opening, begin: fail }, work)).rejects.toBe(boom);
    expect(told).toEqual(opening.opens === 'late' ? [boom] : []);
    expect(await committed()).toEqual(opening.opens === 'late' ? ['cleared'] : []);
  });

  test('undoes a transaction that fails and is caught, and goes on', async () => {
    await asUnit(db, opening, async () => {
      await db.$transaction((transaction) => add('one', transaction));
      const failing = db.$transaction(async (transaction) => {
        await add('lost', transaction);
        // The database refuses this one.
        await add('one', transaction);
      });
      await expect(failing).rejects.toMatchObject({ code: 'P2002' });
      await db.$transaction((transaction) => add('two', transaction));
    });
    expect(await committed()).toEqual(['one', 'two']);
  });

  test('takes transactions that begin at the same time one after another, and those inside others', async () => {
    await asUnit(db, opening, async () => {
      const results = await Promise.allSettled(
        ['a', 'b', 'c'].map((key) =>
          db.$transaction(async (transaction) => {
            await add(key, transaction);
            await db.$transaction((inner) => add(`${key}-inner`, inner));
            if (key === 'b') throw boom;
          }),
        ),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    expect(await committed()).toEqual(['a', 'a-inner', 'c', 'c-inner']);
  });

  test('keeps units that run at the same time apart', async () => {
    const units = Array.from({ length: 5 }, (_, index) =>
      asUnit(db, opening, async () => {
        await db.$transaction((transaction) => add(`unit-${index}`, transaction));
        expect((await db.blobIntent.findMany()).map(({ key }) => key)).toContain(`unit-${index}`);
        if (index % 2 === 1) throw boom;
      }).catch(() => undefined),
    );
    await Promise.all(units);
    expect(await committed()).toEqual(['unit-0', 'unit-2', 'unit-4']);
  });

  test('leaves alone what goes on after it is over', async () => {
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
    let rest: Promise<unknown> | undefined;
    await expect(
      asUnit(db, opening, async () => {
        await db.$transaction((transaction) => add('one', transaction));
        rest = isOver.then(() => db.$transaction((transaction) => add('after', transaction)));
        throw boom;
      }),
    ).rejects.toBe(boom);
    over();
    await rest;
    expect(await committed()).toEqual(['after']);
  });

  test('refuses to stand in for a transaction of stricter isolation', async () => {
    const strict = (): Promise<unknown> => db.$transaction(async () => undefined, { isolationLevel: 'RepeatableRead' });
    await expect(asUnit(db, opening, strict)).rejects.toThrow('isolation level');
    await expect(strict()).resolves.toBeUndefined();
  });
});

test('what is written before a late unit opens stands for itself, and what follows belongs to it', async () => {
  const seen: (readonly string[])[] = [];
  const work = async (): Promise<void> => {
    await add('before');
    seen.push(await committed());
    await db.$transaction((transaction) => add('inside', transaction));
    await add('behind');
    throw boom;
  };
  await expect(asUnit(db, late, work)).rejects.toBe(boom);
  expect(seen).toEqual([['before']]);
  expect(await committed()).toEqual(['before']);
});

describe('a task for after the commit', () => {
  test('finds what was written; is not run when the unit fails; runs at once where there is no unit', async () => {
    const found: Promise<readonly string[]>[] = [];
    const task = (): void => void found.push(committed());
    const work = async (): Promise<void> => {
      await db.$transaction(async (transaction) => {
        await add('one', transaction);
        afterCommit(task);
      });
      expect(found).toHaveLength(0);
    };
    await asUnit(db, bounds, work);
    expect(found).toHaveLength(1);
    expect(await found[0]).toEqual(['one']);
    const failing = asUnit(db, bounds, async () => {
      afterCommit(task);
      throw boom;
    });
    await expect(failing).rejects.toBe(boom);
    expect(found).toHaveLength(1);
    afterCommit(task);
    expect(found).toHaveLength(2);
  });
});

test('what must be known whatever becomes of the unit is written by itself', async () => {
  const seen: (readonly string[])[] = [];
  const work = async (): Promise<void> => {
    await db.$transaction(async () => {
      await outsideUnit(() => add('known'));
      seen.push(await committed());
    });
    throw boom;
  };
  await expect(asUnit(db, bounds, work)).rejects.toBe(boom);
  expect(seen).toEqual([['known']]);
  expect(await committed()).toEqual(['known']);
});
