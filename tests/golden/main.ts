import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { fileOf, goldenDir, readGolden, readWhole, releaseFileOf, shortened } from './differences.ts';
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
 * npm run golden -- record [<release>…]   records every exchange anew, or those of some releases, from the real gateway,
 *                                        core and a seeded database
 * npm run golden -- missing   lists operations that have no requests to record
 */
const usage = 'usage: npm run golden -- record [<release>…] | missing\n';
const [verb, ...rest] = process.argv.slice(2);
const isKnown = (release: string): boolean => history.releases.some(({ id }) => id === release);
if (verb === 'record' ? !rest.every(isKnown) : verb !== 'missing' || rest.length > 0) {
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
      const core = new Map<string, CoreRecording[]>();
      // Where only some releases are recorded, what core answered to the others is what it answers.
      for (const { operation } of operationRequests)
        core.set(operation, rest.length === 0 ? [] : ((await readGolden(coreFileOf(operation))) ?? []));
      const ids = translator.catalogue.releases.map(({ id }) => id);
      const asked = rest.length === 0 ? ids : ids.filter((id) => rest.includes(id));
      for (const id of asked) {
        await readBefore(
          before,
          ids.filter((each) => each < id),
          id,
        );
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
        if (frozenCore && asked.length === ids.length) await write(coreFileOf(operation), core.get(operation), written);
      await removeOthers(written, asked.length === ids.length ? undefined : asked);
      // The same form as every other file, so that a difference is a difference of meaning.
      spawnSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', goldenDir], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    } finally {
      await run('global-teardown.mjs');
    }
  }
}

/** What the release before answered, where it is not recorded in this run. */
async function readBefore(before: Map<string, GoldenFile>, older: readonly string[], id: string): Promise<void> {
  if (rest.length === 0 || rest.includes(older.at(-1) ?? id)) return;
  for (const { operation } of operationRequests) {
    const golden = await readWhole(older, operation);
    if (golden) before.set(operation, golden);
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
async function removeOthers(written: ReadonlySet<string>, releases: readonly string[] | undefined): Promise<void> {
  for (const entry of await readdir(goldenDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isConcerned = !releases || releases.includes(basename(entry.parentPath));
    if (isConcerned && entry.isFile() && path.endsWith('.json') && !written.has(path)) await rm(path);
  }
}
