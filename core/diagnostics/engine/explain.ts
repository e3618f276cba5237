import { careOf } from '../../knowledge/care.ts';
import type { Knowledge } from '../../knowledge/types.ts';
import { isApplicable } from './applicable.ts';
import type { Evidence } from './evidence.ts';
import type { Model } from './model.ts';
import type { Contribution, Ranked } from './rank.ts';
import type { Reason, SuggestedTreatment, Suggestion } from './types.ts';

const REASON_MIN = 0.05;
const MISSING_MAX = 5;
/** Kinds of findings a patient or clinician can be asked for. */
const ASKABLE = new Set(['symptom', 'sign', 'history', 'test']);

/** What speaks for a condition, strongest first. */
export function supporting(model: Model, ranked: Ranked): Reason[] {
  return reasons(model, ranked, (part) => part.state !== 'silent' && part.log_ratio > 0);
}

/** What speaks against a condition, strongest first. */
export function conflicting(model: Model, ranked: Ranked): Reason[] {
  return reasons(model, ranked, (part) => part.state !== 'silent' && part.log_ratio < 0);
}

function reasons(model: Model, ranked: Ranked, wanted: (part: Contribution) => boolean): Reason[] {
  return ranked.contributions
    .filter(wanted)
    .map((part) => ({ part, weight: Math.round((part.log_ratio / Math.LN10) * 100) / 100 }))
    .filter(({ weight }) => Math.abs(weight) >= REASON_MIN)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.part.finding.localeCompare(b.part.finding))
    .map(({ part, weight }) => ({
      finding_id: part.finding,
      name: model.findings.get(part.finding)!.name,
      weight,
      text: sentence(model.findings.get(part.finding)!.name, part, ranked.compiled.condition.name),
    }));
}

function sentence(name: string, part: Contribution, condition: string): string {
  const share = part.p === null ? null : `${Math.round(part.p * 100)} %`;
  if (part.state === 'absent')
    return `${name} is denied or was not found, though expected in ${share} of ${condition}.`;
  if (share === null) return `${name} is not explained by ${condition}.`;
  return `${name} is present, as in ${share} of ${condition}.`;
}

/** Findings not yet known that would tell most about this condition against its rivals. */
export function missing(model: Model, one: Ranked, ranked: Ranked[], evidence: Evidence): Suggestion['missing'] {
  const rivals = ranked.filter((other) => other !== one).slice(0, 8);
  const rivalMass = rivals.reduce((sum, other) => sum + other.posterior, 0);
  const candidates: { id: string; gain: number }[] = [];
  for (const [id, own] of one.compiled.likelihoods) {
    const finding = model.findings.get(id)!;
    if (!own.listed || !ASKABLE.has(finding.category) || evidence.present.has(id) || evidence.absent.has(id)) continue;
    // Nobody is asked about a body that is not theirs.
    if (!isApplicable(id, model.bearers, evidence.age, evidence.sex)) continue;
    const among = rivals.reduce((sum, other) => {
      const p = other.compiled.likelihoods.get(id)?.p ?? finding.base_rate;
      return sum + p * (rivalMass === 0 ? 0 : other.posterior / rivalMass);
    }, 0);
    const elsewhere = Math.min(0.98, Math.max(0.001, rivalMass === 0 ? finding.base_rate : among));
    candidates.push({ id, gain: divergence(own.p, elsewhere) });
  }
  candidates.sort((a, b) => b.gain - a.gain || a.id.localeCompare(b.id));
  return candidates.slice(0, MISSING_MAX).map(({ id }) => ({ finding_id: id, name: model.findings.get(id)!.name }));
}

/** Kullback-Leibler divergence between two chances of the same finding, in nats. */
function divergence(p: number, q: number): number {
  return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
}

/** The condition's treatments, each with a warning where the patient's record speaks against it. */
export function treatmentsOf(model: Model, one: Ranked, evidence: Evidence): SuggestedTreatment[] {
  const { condition } = one.compiled;
  return condition.treatments.map((id) => {
    const treatment = model.treatments.get(id)!;
    const { line, for_whom, purpose, dose, checks, never_with } = careOf(condition, treatment);
    const against = treatment.contraindications
      .filter((finding) => evidence.present.has(finding))
      .map((finding) => model.findings.get(finding)!.name.toLowerCase());
    const caution = against.length === 0 ? null : `Caution, the record speaks against it: ${against.join(', ')}.`;
    const notes = [caution, treatment.notes].filter((note) => note !== null).join(' ');
    return {
      id,
      name: treatment.name,
      kind: treatment.kind,
      notes: notes === '' ? null : notes,
      line,
      for_whom,
      purpose,
      dose,
      checks: [...checks],
      never_with: [...never_with],
      evidence: model.evidence.ofCare(condition, treatment),
      contraindications: against.map((name) => ({
        kind: 'finding',
        severity: null,
        text: `Speaks against it: ${name}.`,
        management: null,
        substances: [],
      })),
      record_checked: false,
    };
  });
}

/** The sources a condition rests on. */
export function sourcesOf(knowledge: Knowledge, ids: string[]): Suggestion['sources'] {
  return ids.flatMap((id) => {
    const source = knowledge.sources.find((known) => known.id === id);
    return source === undefined ? [] : [{ title: source.title, url: source.url, year: source.year }];
  });
}
