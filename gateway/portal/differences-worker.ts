import { parentPort } from 'node:worker_threads';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { differencesBetween } from '@perennial/translators/contract/explain.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import type { PairAsked, PairFound } from './differences.ts';

/* Compares shipped releases apart from the thread that serves requests: it takes seconds. */

const translator = createTranslator(head, history, releases);

parentPort?.on('message', ({ from, to }: PairAsked) => {
  const found: PairFound = { key: `${from.id} ${to.id}`, differences: differencesBetween(translator, from, to) };
  parentPort?.postMessage(found);
});
