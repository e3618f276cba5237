import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { History } from '@perennial/schemas/history.ts';
import { checkHistory } from '@perennial/schemas/lifecycle.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { contractIn, type ForeignContract } from './contract-in.ts';
import { SettingsRefused } from './settings.ts';

/** A service with its history, read from a folder and checked. */
export interface ForeignService {
  readonly history: History;
  readonly document: JsonObject;
  readonly foreign: ForeignContract;
  readonly translator: Translator;
}

/**
 * Reads a folder: `openapi.json` is the document of the service as it is now, `index.ts` exports `history` and `releases`.
 * Everything is derived and compiled here.
 * @throws {SettingsRefused} {DocumentRefused} {HistoryInvalid} {CatalogueInvalid}
 */
export async function loadService(folder: string): Promise<ForeignService> {
  const root = resolve(process.env['INIT_CWD'] ?? process.cwd(), folder);
  const document = readDocument(join(root, 'openapi.json'));
  const { history, releases } = await readReleases(root);
  checkHistory(history);
  const foreign = contractIn(document);
  return { history, document, foreign, translator: createTranslator(foreign.contract, history, releases) };
}

function readDocument(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingsRefused(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new SettingsRefused(`${file} is not JSON`);
  }
  if (!isObject(document) || !/^3\.[01]\./.test(String(document['openapi'])))
    throw new SettingsRefused(`${file} is not a document of OpenAPI 3.0 or 3.1`);
  return document;
}

async function readReleases(
  root: string,
): Promise<{ readonly history: History; readonly releases: readonly ReleaseChanges[] }> {
  const folder = `${pathToFileURL(root).href}/`;
  // Releases may lie outside of this repository, and still describe their changes with its words.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('@perennial/') && context.parentURL?.startsWith(folder)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context),
  });
  try {
    const loaded = (await import(pathToFileURL(join(root, 'index.ts')).href)) as Record<string, unknown>;
    const { history, releases } = loaded;
    if (!isObject(history) || !Array.isArray(history['releases']) || !Array.isArray(releases))
      throw new SettingsRefused(`${join(root, 'index.ts')} must export history and releases`);
    return { history: history as unknown as History, releases: releases as ReleaseChanges[] };
  } catch (error) {
    if (error instanceof SettingsRefused) throw error;
    throw new SettingsRefused(`${join(root, 'index.ts')}: ${(error as Error).message.split('\n')[0]}`);
  } finally {
    hooks.deregister();
  }
}
