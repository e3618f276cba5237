import type { Knowledge } from '../../knowledge/types.ts';
import { modelOf } from './model.ts';
import { readTexts } from './read.ts';
import type { KnownFinding } from './types.ts';

/**
 * The findings of the past that entries of a patient's record stand for, each once. What an entry does not say is no
 * gap of the complaint, so nothing is reported as unrecognised.
 * @param entries conditions and medicines in words, as the record shows them.
 */
export function knownFindings(knowledge: Knowledge, entries: readonly string[]): KnownFinding[] {
  const model = modelOf(knowledge);
  const sources = entries.map((text) => ({ text, section: 'history' as const }));
  const found = new Map<string, KnownFinding>();
  for (const { finding, present, temporality, experiencer, text_index: at } of readTexts(
    sources,
    knowledge,
    model.lexicon,
  ).mentions) {
    // An illness on record is no symptom of today.
    if (!present || temporality === 'hypothetical' || experiencer === 'other') continue;
    if (model.findings.get(finding)?.category !== 'history' || found.has(finding)) continue;
    found.set(finding, { finding_id: finding, text: entries[at]! });
  }
  return [...found.values()];
}
