import { gatherEvidence } from '@perennial/core/diagnostics/engine/evidence.ts';
import { type Model, modelOf } from '@perennial/core/diagnostics/engine/model.ts';
import { type Ranked, rank } from '@perennial/core/diagnostics/engine/rank.ts';
import { raiseRedFlags } from '@perennial/core/diagnostics/engine/red-flags.ts';
import { triage } from '@perennial/core/diagnostics/engine/triage.ts';
import { TUNING } from '@perennial/core/diagnostics/engine/tuning.ts';
import type { RaisedFlag } from '@perennial/core/diagnostics/engine/types.ts';
import type { Knowledge } from '@perennial/core/knowledge/types.ts';
import { correctedError, type Said } from './calibration-error.ts';
import { type EvaluationCase, requestOf, triageBand } from './evaluate.ts';
import { bootstrapOf, type Estimate, seeded, shareOf } from './intervals.ts';
import { mapDiagnosis } from './map-diagnosis.ts';

/*
 * What was fitted, judged on diagnoses that it was not fitted on: the diagnoses, not the cases, are drawn into folds, so
 * that two cases of one diagnosis never stand on both sides. And what ranking is left when a share of every
 * condition's findings is hidden, which is what an unseen condition with an incomplete list is like.
 */

const FOLDS = 5;
const SHOWN = 5;
/** Share of the findings of every condition that is hidden. */
const HIDDEN = 1 / 3;
const DRAWS = 2;
/** An emergency that is sent home counts as much as ten that are sent in without need. */
const UNDER_COST = 10;

export interface Within {
  readonly top1: Estimate | null;
  readonly top3: Estimate | null;
  readonly top5: Estimate | null;
}

export interface CrossValidation {
  readonly folds: number;
  readonly diagnoses: number;
  readonly calibration: { readonly error: Estimate; readonly slope: number; readonly intercept: number };
  readonly triage: {
    readonly exact: Estimate | null;
    readonly safe: Estimate | null;
    readonly thresholds: string;
  } | null;
  /** By source, with a share of all knowledge hidden. */
  readonly hidden: ReadonlyMap<string, Within>;
}

interface Judged {
  readonly source: string;
  readonly diagnosis: string;
  readonly mapped: readonly string[];
  readonly ranked: readonly Ranked[];
  readonly flags: RaisedFlag[];
  readonly told: Parameters<typeof triage>[2];
  /** 0 emergency, 1 a clinician, 2 care at home; null where no level was given. */
  readonly wanted: number | null;
}

export function crossValidate(cases: readonly EvaluationCase[], knowledge: Knowledge): CrossValidation {
  const model = modelOf(knowledge);
  const judged = cases.map((one) => judge(model, one));
  const foldOf = drawFolds(judged.map(({ diagnosis }) => diagnosis));
  return {
    folds: FOLDS,
    diagnoses: foldOf.size,
    calibration: calibrationBy(judged, foldOf),
    triage: triageBy(judged, foldOf),
    hidden: hiddenBy(cases, knowledge),
  };
}

function judge(model: Model, one: EvaluationCase): Judged {
  const evidence = gatherEvidence(model, requestOf(one));
  const mapped = mapDiagnosis(one.diagnosis, model.knowledge.conditions);
  return {
    source: one.id.replace(/-[^-]*$/, ''),
    diagnosis: mapped.length > 0 ? mapped.toSorted().join(' ') : one.diagnosis.toLowerCase(),
    mapped,
    ranked: rank(model, evidence),
    flags: raiseRedFlags(model, evidence),
    told: {
      understood: evidence.recognized.length > 0,
      allRead: evidence.languages.every((language) => language.is_read),
      coverage: evidence.reading.coverage,
    },
    wanted: one.triage === undefined ? null : triageBand(one.triage),
  };
}

/** The fold of each diagnosis, drawn the same every time. */
function drawFolds(diagnoses: readonly string[]): ReadonlyMap<string, number> {
  const random = seeded();
  const drawn = [...new Set(diagnoses)].sort().map((diagnosis) => ({ diagnosis, at: random() }));
  drawn.sort((a, b) => a.at - b.at);
  return new Map(drawn.map(({ diagnosis }, place) => [diagnosis, place % FOLDS]));
}

interface Pair {
  readonly logit: number;
  readonly hit: number;
}

function pairsOf({ ranked, mapped }: Judged): Pair[] {
  return ranked.slice(0, SHOWN).map(({ posterior, compiled }) => {
    const p = Math.min(0.995, Math.max(0.0005, posterior));
    return { logit: Math.log(p / (1 - p)), hit: mapped.includes(compiled.condition.id) ? 1 : 0 };
  });
}

function calibrationBy(judged: readonly Judged[], foldOf: ReadonlyMap<string, number>): CrossValidation['calibration'] {
  const said: Said[][] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const isOut = (one: Judged): boolean => foldOf.get(one.diagnosis) === fold;
    const curve = fitLogistic(judged.filter((one) => !isOut(one)).flatMap(pairsOf));
    for (const one of judged.filter(isOut)) {
      said.push(pairsOf(one).map(({ logit, hit }) => ({ confidence: curveAt(curve, logit), hit })));
    }
  }
  return { error: correctedError(said), ...fitLogistic(judged.flatMap(pairsOf)) };
}

interface Curve {
  readonly slope: number;
  readonly intercept: number;
}

const curveAt = ({ slope, intercept }: Curve, logit: number): number =>
  1 / (1 + Math.exp(-(slope * logit + intercept)));

/** Logistic regression of one variable by Newton's method. */
function fitLogistic(pairs: readonly Pair[]): Curve {
  let slope = 1;
  let intercept = 0;
  for (let step = 0; step < 50; step += 1) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-9, 0, 1e-9];
    for (const { logit, hit } of pairs) {
      const p = curveAt({ slope, intercept }, logit);
      const weight = p * (1 - p);
      g0 += hit - p;
      g1 += (hit - p) * logit;
      h00 += weight;
      h01 += weight * logit;
      h11 += weight * logit * logit;
    }
    const determinant = h00 * h11 - h01 * h01;
    intercept += (h11 * g0 - h01 * g1) / determinant;
    slope += (h00 * g1 - h01 * g0) / determinant;
  }
  return { slope: Math.round(slope * 1000) / 1000, intercept: Math.round(intercept * 1000) / 1000 };
}

interface Thresholds {
  readonly emergency: number;
  readonly notUnlikely: number;
  readonly routine: number;
}

const GRID: readonly Thresholds[] = [0.15, 0.2, 0.25, 0.3, 0.4, 0.5].flatMap((emergency) =>
  [0.04, 0.08, 0.12, 0.2].flatMap((notUnlikely) =>
    [0.2, 0.3, 0.4, 0.5, 0.6].map((routine) => ({ emergency, notUnlikely, routine })),
  ),
);

function triageBy(judged: readonly Judged[], foldOf: ReadonlyMap<string, number>): CrossValidation['triage'] {
  const labelled = judged.filter(({ wanted }) => wanted !== null);
  if (labelled.length === 0) return null;
  const given = GRID.map((thresholds) => labelled.map((one) => bandAt(one, thresholds)));
  const best = (isIn: (one: Judged) => boolean): number => {
    const costs = given.map((bands) =>
      labelled.reduce((sum, one, at) => (isIn(one) ? sum + costOf(bands[at]!, one.wanted!) : sum), 0),
    );
    return costs.indexOf(Math.min(...costs));
  };
  let [exact, safe] = [0, 0];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const chosen = given[best((one) => foldOf.get(one.diagnosis) !== fold)]!;
    for (const [at, one] of labelled.entries()) {
      if (foldOf.get(one.diagnosis) !== fold) continue;
      if (chosen[at] === one.wanted) exact += 1;
      if (chosen[at]! <= one.wanted!) safe += 1;
    }
  }
  const all = GRID[best(() => true)]!;
  return {
    exact: shareOf(exact, labelled.length),
    safe: shareOf(safe, labelled.length),
    thresholds: `emergency ${all.emergency}, not unlikely ${all.notUnlikely}, routine ${all.routine}`,
  };
}

/** The band that a case gets with other thresholds; the engine's own are put back. */
function bandAt({ flags, ranked, told }: Judged, { emergency, notUnlikely, routine }: Thresholds): number {
  const before = { levels: { ...TUNING.triageThreshold }, notUnlikely: TUNING.notUnlikely };
  Object.assign(TUNING.triageThreshold, { emergency, routine });
  TUNING.notUnlikely = notUnlikely;
  try {
    return triageBand(triage(flags, [...ranked], told).level);
  } finally {
    Object.assign(TUNING.triageThreshold, before.levels);
    TUNING.notUnlikely = before.notUnlikely;
  }
}

function costOf(given: number, wanted: number): number {
  if (given === wanted) return 0;
  if (given < wanted) return 1;
  return wanted === 0 ? UNDER_COST : 2;
}

function hiddenBy(cases: readonly EvaluationCase[], knowledge: Knowledge): ReadonlyMap<string, Within> {
  const ranks = new Map<string, number[]>();
  const random = seeded();
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const conditions = knowledge.conditions.map((condition) => ({
      ...condition,
      findings: condition.findings.filter(
        ({ finding, essential }) => essential === true || finding.startsWith('duration_') || random() > HIDDEN,
      ),
    }));
    const model = modelOf({ ...knowledge, conditions });
    for (const one of cases) {
      const { source, ranked, mapped } = judge(model, one);
      const place = ranked.findIndex(({ compiled }) => mapped.includes(compiled.condition.id));
      ranks.set(source, [...(ranks.get(source) ?? []), place < 0 ? Number.POSITIVE_INFINITY : place + 1]);
    }
  }
  return new Map([...ranks].map(([source, list]) => [source, withinOf(list)]));
}

function withinOf(ranks: readonly number[]): Within {
  // Each case is there once a draw: the interval is that of the cases, not of the draws.
  const cases = Array.from({ length: ranks.length / DRAWS }, (_, at) =>
    Array.from({ length: DRAWS }, (__, draw) => ranks[at + (draw * ranks.length) / DRAWS]!),
  );
  const share = (places: number): Estimate =>
    bootstrapOf(cases, (drawn) => {
      const all = drawn.flat();
      return all.filter((place) => place <= places).length / all.length;
    });
  return { top1: share(1), top3: share(3), top5: share(5) };
}
