import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Triggers } from '@perennial/core/diagnostics/engine/assertion/triggers.ts';
import { loadKnowledge } from '@perennial/core/knowledge/load.ts';
import { type ContextEvaluation, evaluateContext, readSentences, SentencesInvalid } from './context.ts';
import { percentOf } from './intervals.ts';

/*
 * npm run evaluate -- --context FILE [--language en] [--misread] [--json]
 * FILE: sentences with one concept each, tab-separated: line, concept, sentence, negation, temporality, experiencer.
 * --misread lists the lines that were read otherwise than marked.
 */

const USAGE = 'usage: npm run evaluate -- --context FILE [--language TAG] [--misread] [--json]\n';

class Refusal extends Error {}

try {
  const { context, language, misread, json } = readOptions();
  const known = loadKnowledge().languages.find((one) => one.language === language);
  if (known === undefined) throw new Refusal(`no language "${language}" in the knowledge base`);
  const evaluation = evaluateContext(readSentences(read(context)), new Triggers(known.assertion));
  process.stdout.write(json ? `${JSON.stringify(evaluation, null, 2)}\n` : report(evaluation, misread));
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof SentencesInvalid;
  process.stderr.write(`evaluate: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
}

function readOptions(): { context: string; language: string; misread: boolean; json: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        context: { type: 'string' },
        language: { type: 'string', default: 'en' },
        misread: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const { context, language, misread, json } = values;
    if (context === undefined) throw new Refusal(USAGE);
    return { context, language, misread, json };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${(error as Error).message}\n${USAGE}`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Refusal(`${path} cannot be read`);
  }
}

function report({ sentences, scores, misread }: ContextEvaluation, withMisread: boolean): string {
  const lines = [`${sentences} sentences; 95 % intervals in brackets`, ''];
  for (const { aspect, marked, read: seen, precision, recall, f1 } of scores) {
    lines.push(
      `${aspect} (marked ${marked}, read ${seen})`,
      `  precision  ${percentOf(precision)}`,
      `  recall     ${percentOf(recall)}`,
      `  F1         ${percentOf(f1)}`,
    );
  }
  if (withMisread) {
    lines.push('', 'Read otherwise than marked: line, aspect, marked, the cue that was read');
    for (const one of misread)
      lines.push(`  ${one.line}  ${one.aspect}  ${one.marked ? 'yes' : 'no'}  ${one.cue ?? '-'}`);
  }
  return `${lines.join('\n')}\n`;
}
