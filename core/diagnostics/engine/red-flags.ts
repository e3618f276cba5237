import type { Evidence } from './evidence.ts';
import { counts } from './mention.ts';
import type { Model } from './model.ts';
import type { RaisedFlag } from './types.ts';

/** Every hard rule that fires. Nothing the ranking says can take one back. */
export function raiseRedFlags(model: Model, evidence: Evidence): RaisedFlag[] {
  const raised: RaisedFlag[] = [];
  for (const rule of model.knowledge.red_flags) {
    if (rule.sex !== null && evidence.sex !== undefined && evidence.sex !== rule.sex) continue;
    if (rule.age_min_years !== null && (evidence.age === undefined || evidence.age < rule.age_min_years)) continue;
    if (rule.age_max_years !== null && (evidence.age === undefined || evidence.age >= rule.age_max_years)) continue;
    if (rule.unless.some((finding) => evidence.present.has(finding))) continue;
    const hits = rule.when.map((any) => any.find((finding) => evidence.present.has(finding)));
    if (hits.some((hit) => hit === undefined)) continue;
    raised.push({
      id: rule.id,
      name: rule.name,
      message: rule.message,
      urgency: rule.urgency,
      finding_ids: [...new Set(hits.filter((hit) => hit !== undefined))],
      words: wordsOf(model, evidence, hits),
      evidence: model.evidence.ofRedFlag(rule),
    });
  }
  return raised.sort((a, b) => a.urgency.localeCompare(b.urgency) || a.id.localeCompare(b.id));
}

/** The words that state the findings, or what implies them, in the order of the texts. */
function wordsOf(model: Model, { reading }: Evidence, findings: readonly (string | undefined)[]): string[] {
  const wanted = new Set(
    findings.flatMap((id) => (id === undefined ? [] : [id, ...(model.descendants.get(id) ?? [])])),
  );
  const said = reading.mentions
    .filter((one) => one.present && counts(one) && one.text !== '' && wanted.has(one.finding))
    .sort((a, b) => a.text_index - b.text_index || a.start - b.start);
  return [...new Set(said.map(({ text }) => text))];
}
