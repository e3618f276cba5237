import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { fateOf } from '../../support/fates.ts';
import { mutant, originals } from '../../support/mutants.ts';
import { seeded } from '../../support/random.ts';

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
}, 60_000);
afterAll(async () => {
  await core.stop();
  await database.close();
});

test('whatever becomes of a file, it is shown or refused for what is wrong with it', async () => {
  const { next } = seeded(18);
  const files = originals();
  const fates: string[] = [];
  for (let run = 0; run < 22; run += 1)
    fates.push(await fateOf(core, mutant(files[run % files.length] as Buffer, next)));
  expect(fates.filter((fate) => fate.startsWith('failed'))).toEqual([]);
  expect(new Set(fates).size).toBeGreaterThan(1);
}, 300_000);
