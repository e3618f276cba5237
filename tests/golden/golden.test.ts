import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { fileOf, goldenDir, readGolden, readWhole, releaseFileOf } from './differences.ts';
import type { CoreRecording, GoldenFile } from './exchange.ts';
import { rules } from './normalise.ts';
import {
  coreFileOf,
  exchangesOf,
  lifecycleOf,
  missingRequests,
  operationsAt,
  type Stack,
  startStack,
  withoutLifecycle,
} from './stack.ts';

const translator = createTranslator(head, history, releases);
const ids = translator.catalogue.releases.map(({ id }) => id);
const until = (release: string): readonly string[] => ids.filter((id) => id <= release);
const hint = 'A release never changes its answers. Where this was meant all the same: npm run golden -- record';

describe('golden exchanges', () => {
  it('exist for every operation of every release', async () => {
    const missing: string[] = [...missingRequests(translator)];
    for (const { id } of translator.catalogue.releases)
      for (const { operation } of operationsAt(translator, id))
        if ((await readWhole(until(id), operation)) === undefined) missing.push(`${id} ${operation}`);
    // Write their requests in tests/golden/requests, then run: npm run golden -- record
    expect(missing).toEqual([]);
  });

  it('are all of operations that exist', async () => {
    const wanted = translator.catalogue.releases.flatMap(({ id }) => [
      releaseFileOf(id),
      ...operationsAt(translator, id).map(({ operation }) => fileOf(id, operation)),
    ]);
    const found: string[] = [];
    for (const { id } of translator.catalogue.releases)
      for (const name of await readdir(join(goldenDir, id)).catch(() => [])) found.push(join(goldenDir, id, name));
    expect(found.filter((path) => !wanted.includes(path))).toEqual([]);
  });

  it('hold no key and nothing that changes from run to run', async () => {
    for (const entry of await readdir(goldenDir, { recursive: true })) {
      if (!entry.endsWith('.json')) continue;
      const text = JSON.stringify(await readGolden(join(goldenDir, entry)));
      expect(text).not.toMatch(/hai_(live|test)_|sk_[0-9A-Za-z]{8}|Bearer [0-9A-Za-z]|whsec_|postgres|"req_/);
    }
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });
});

describe.each(translator.catalogue.releases.map(({ id }) => id))('v%s', (release) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(release, translator, false);
    // A database, core and a gateway start here, on a machine that may have other work.
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
  });

  for (const operation of operationsAt(translator, release))
    it(`answers ${operation.operation} as it always has`, async () => {
      const golden = await readWhole(until(release), operation.operation);
      if (!golden)
        throw new Error(`nothing is recorded for ${release} ${operation.operation}: npm run golden -- record`);
      const recordings = (await readGolden<CoreRecording[]>(coreFileOf(operation.operation))) ?? [];
      const all = await exchangesOf(stack, operation, recordings);
      const now = withoutLifecycle(all, stack.recorded?.headers ?? lifecycleOf([all]));
      const differing = golden.exchanges
        .map(({ name }) => name)
        .filter((name) => text(golden, name) !== text(now, name));
      // Order of keys included: clients see it.
      if (JSON.stringify(now) !== JSON.stringify(golden)) {
        expect({ hint, now }).toEqual({ hint, now: golden });
        throw new Error(`only the order of keys differs, in: ${differing.join('; ')}. ${hint}`);
      }
    });
});

function text(file: GoldenFile, name: string): string {
  return JSON.stringify(file.exchanges.find((each) => each.name === name));
}
