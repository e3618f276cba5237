import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { startWorld, type World } from '../world.ts';

const translator = createTranslator(head, history, releases);
const versions = ['2023-10-15', '2023-04-30', '2022-11-15'] as const;

let world: World;
let account: FreshAccount;

beforeAll(async () => {
  world = await startWorld();
  account = await createAccount(world.database.db);
});

afterAll(() => world.stop());

describe.each(versions)('an account that has nothing, at v%s', (version) => {
  const plain = translator
    .contract(version)
    .operations.filter(({ method, path, parameters }) => {
      const isAskedBare = !path.includes('{') && !parameters.some(({ required }) => required);
      return method === 'GET' && isAskedBare;
    })
    // It asks for one parameter or another.
    .map(({ path }) => (path === '/patients/search' ? `${path}?name=zzz` : path));
  const filtered = ['/patients/export?name=zzz', '/records/export?type=note', '/patients?name=zzz'];

  test.each([...plain, ...filtered])('reads %s, and its HEAD says the same', async (path) => {
    const got = await world.gateway.send('GET', `/v${version}${path}`, { key: account.apiKey });
    const headed = await world.gateway.send('HEAD', `/v${version}${path}`, { key: account.apiKey });
    expect(got.status).toBeGreaterThanOrEqual(200);
    expect(got.status).toBeLessThan(300);
    expect(headed.status).toBe(got.status);
    expect(headed.headers['content-type']).toBe(got.headers['content-type']);
    if (path.includes('/export')) expect([got.status, got.text]).toEqual([200, '']);
  });
});
