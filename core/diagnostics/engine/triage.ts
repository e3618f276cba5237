import type { Urgency } from '../../knowledge/types.ts';
import type { Ranked } from './rank.ts';
import { TUNING } from './tuning.ts';
import type { RaisedFlag, Triage, WeighedCondition } from './types.ts';

/** From the most to the least pressing. */
export const URGENCIES: Urgency[] = ['emergency', 'urgent', 'soon', 'routine', 'self_care'];

const WEIGHED_MAX = 3;

/** How much of what was told was understood. */
export interface Understanding {
  understood: boolean;
  /** False where a text was in a language that is not read. */
  allRead: boolean;
  /** Share of content words that led to a finding, 0 to 1. */
  coverage: number;
}

/**
 * How soon to be seen. A red flag decides by itself. Otherwise the level is the most pressing one whose conditions,
 * together with every more pressing one, are likely enough: the more dangerous the level, the less it takes. What was
 * not understood is never a reason for calm.
 */
export function triage(flags: RaisedFlag[], ranked: Ranked[], told: Understanding): Triage {
  const byRank = fromRanking(ranked);
  if (flags.length > 0) {
    const level = flags.some((flag) => flag.urgency === 'emergency') ? 'emergency' : 'urgent';
    const reasons = flags.map((flag) => `Red flag: ${flag.name}. ${flag.message}`);
    if (URGENCIES.indexOf(byRank.level) >= URGENCIES.indexOf(level)) return { level, reasons, weighed: byRank.weighed };
    return { ...byRank, reasons: [...reasons, ...byRank.reasons] };
  }
  if (!told.understood) {
    return {
      level: 'soon',
      reasons: ['Nothing in the description was understood. Somebody who understands it should hear it soon.'],
      weighed: [],
    };
  }
  const isCalm = URGENCIES.indexOf(byRank.level) > URGENCIES.indexOf('soon');
  if (isCalm && (!told.allRead || told.coverage < TUNING.calmFromCoverage)) {
    const reason = 'Much of the description was not understood. Somebody who understands it should hear it soon.';
    return { level: 'soon', reasons: [reason, ...byRank.reasons], weighed: byRank.weighed };
  }
  return byRank;
}

function fromRanking(ranked: Ranked[]): Triage {
  const known = ranked.reduce((sum, one) => sum + one.posterior, 0);
  let together = 0;
  for (const level of URGENCIES) {
    const here = ranked.filter((one) => one.compiled.condition.urgency === level);
    together += here.reduce((sum, one) => sum + one.posterior, 0);
    // A vague complaint leaves much to what is not known: danger is then a small part of all that it can be.
    const share = level === 'emergency' ? together : together / known;
    if (known === 0 || share < TUNING.triageThreshold[level]) continue;
    // Many dangers, each of them unlikely, are in every complaint: one has to stand out.
    if (level === 'emergency' && !here.some((one) => one.posterior >= TUNING.notUnlikely)) continue;
    const weighed = ranked
      .filter((one) => URGENCIES.indexOf(one.compiled.condition.urgency) <= URGENCIES.indexOf(level))
      .slice(0, WEIGHED_MAX)
      .map(weighedOf);
    const names = weighed.map(({ name }) => name).join(', ');
    return { level, reasons: [`Conditions that call for this level are likely enough: ${names}.`], weighed };
  }
  return { level: 'self_care', reasons: ['Nothing found calls for more than care at home.'], weighed: [] };
}

function weighedOf({ compiled: { condition }, posterior }: Ranked): WeighedCondition {
  const { id, name, urgency } = condition;
  return { condition_id: id, name, urgency, probability: Math.round(posterior * 1000) / 1000 };
}
