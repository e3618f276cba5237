import type { Urgency } from '../../knowledge/types.ts';
import type { Ranked } from './rank.ts';
import { TUNING } from './tuning.ts';
import type { RaisedFlag, Triage } from './types.ts';

/** From the most to the least pressing. */
export const URGENCIES: Urgency[] = ['emergency', 'urgent', 'soon', 'routine', 'self_care'];

/**
 * How soon to be seen. A red flag decides by itself. Otherwise the level is the most pressing one whose conditions,
 * together with every more pressing one, are likely enough: the more dangerous the level, the less it takes.
 */
export function triage(flags: RaisedFlag[], ranked: Ranked[], anythingRecognized: boolean): Triage {
  if (flags.length > 0) {
    const level = flags.some((flag) => flag.urgency === 'emergency') ? 'emergency' : 'urgent';
    const byRank = fromRanking(ranked);
    const level2 = URGENCIES.indexOf(byRank.level) < URGENCIES.indexOf(level) ? byRank.level : level;
    const reasons = flags.map((flag) => `Red flag: ${flag.name}. ${flag.message}`);
    return { level: level2, reasons: level2 === level ? reasons : [...reasons, ...byRank.reasons] };
  }
  if (!anythingRecognized) {
    return { level: 'routine', reasons: ['Nothing in the description was recognised; a clinician should hear it.'] };
  }
  return fromRanking(ranked);
}

function fromRanking(ranked: Ranked[]): Triage {
  const known = ranked.reduce((sum, one) => sum + one.posterior, 0);
  let together = 0;
  for (const level of URGENCIES) {
    const here = ranked.filter((one) => one.compiled.condition.urgency === level);
    together += here.reduce((sum, one) => sum + one.posterior, 0);
    if (known === 0 || together / known < TUNING.triageThreshold[level]) continue;
    const names = ranked
      .filter((one) => URGENCIES.indexOf(one.compiled.condition.urgency) <= URGENCIES.indexOf(level))
      .slice(0, 3)
      .map((one) => one.compiled.condition.name);
    return { level, reasons: [`Conditions that call for this level are likely enough: ${names.join(', ')}.`] };
  }
  return { level: 'self_care', reasons: ['Nothing found calls for more than care at home.'] };
}
