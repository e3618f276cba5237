import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { fileOf, goldenDir, releaseFileOf, shortened } from './differences.ts';
import type { CoreRecording, GoldenFile, WrittenRelease } from './exchange.ts';
import { operationRequests } from './requests/index.ts';
import {
  coreFileOf,
  exchangesOf,
  lifecycleOf,
  missingRequests,
  operationsAt,
  startStack,
  withoutLifecycle,
} from './stack.ts';

/*
 * npm run golden -- record    records every exchange anew, from the real gateway, core and a seeded database
 * npm run golden -- missing   lists operations that have no requests to record
 */
const usage = 'usage: npm run golden -- record|missing\n';
const [verb, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (verb !== 'record' && verb !== 'missing')) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const translator = createTranslator(head, history, releases);
  if (verb === 'record') await record();
  const missing = missingRequests(translator);
  for (const each of missing) process.stdout.write(`no requests in tests/golden/requests: ${each}\n`);
  if (missing.length > 0) process.exitCode = 1;

  async function record(): Promise<void> {
    await run('global-setup.mjs');
    try {
      const written = new Set<string>();
      const before = new Map<string, GoldenFile>();
      const core = new Map<string, CoreRecording[]>(operationRequests.map(({ operation }) => [operation, []]));
      for (const { id } of translator.catalogue.releases) {
        const stack = await startStack(id, translator, true);
        const files: GoldenFile[] = [];
        try {
          for (const operation of operationsAt(translator, id)) {
            const golden = await exchangesOf(stack, operation, core.get(operation.operation) as CoreRecording[]);
            files.push(golden);
            process.stdout.write(`${id} ${operation.operation}: ${golden.exchanges.length} exchanges\n`);
          }
        } finally {
          await stack.stop();
        }
        const headers = lifecycleOf(files);
        // The calendar of a preview is not settled before it is released.
        const { serviceDate, current, isPreview } = stack;
        if (!isPreview)
          await write(releaseFileOf(id), { serviceDate, current, headers } satisfies WrittenRelease, written);
        for (const file of files) {
          const golden = withoutLifecycle(file, headers);
          const own = shortened(before.get(file.operation), golden);
          if (own) await write(fileOf(id, file.operation), own, written);
          before.set(file.operation, golden);
        }
      }
      for (const { operation, frozenCore } of operationRequests)
        if (frozenCore) await write(coreFileOf(operation), core.get(operation), written);
      await removeOthers(written);
      // The same form as every other file, so that a difference is a difference of meaning.
      spawnSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', goldenDir], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    } finally {
      await run('global-teardown.mjs');
    }
  }
}

/** The database server of the tests, started and ended as jest does it. */
async function run(name: string): Promise<void> {
  const { default: step } = (await import(new URL(`../support/${name}`, import.meta.url).href)) as {
    default: () => Promise<void>;
  };
  await step();
}

async function write(path: string, value: unknown, written: Set<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(value)}\n`);
  written.add(path);
}

/** Recordings of operations or releases that are no longer there. */
async function removeOthers(written: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(goldenDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && path.endsWith('.json') && !written.has(path)) await rm(path);
  }
}
