import type { Evidence } from './evidence.ts';
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
    });
  }
  return raised.sort((a, b) => a.urgency.localeCompare(b.urgency) || a.id.localeCompare(b.id));
}
