import { type Estimate, seeded } from './intervals.ts';

/** What was said of a suggestion, and whether it was right. */
export interface Said {
  confidence: number;
  hit: number;
}

const BINS = 10;
const DRAWS = 400;

/** The expected calibration error over ten bins of equal width (Naeini et al., AAAI 2015). */
export function calibrationError(pairs: readonly Said[]): number {
  const bins = Array.from({ length: BINS }, () => ({ said: 0, seen: 0 }));
  for (const { confidence, hit } of pairs) {
    const bin = bins[Math.min(BINS - 1, Math.floor(confidence * BINS))]!;
    bin.said += confidence;
    bin.seen += hit;
  }
  return pairs.length === 0 ? 0 : bins.reduce((sum, { said, seen }) => sum + Math.abs(said - seen), 0) / pairs.length;
}

/**
 * The calibration error without its bias: few cases show an error of a perfectly calibrated engine too, which is drawn
 * and taken off. The interval is of 95 %, by drawing cases, whose suggestions belong together.
 */
export function correctedError(cases: readonly (readonly Said[])[]): Estimate {
  const random = seeded();
  const all = cases.flat();
  let bias = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const calibrated = all.map(({ confidence }) => ({ confidence, hit: random() < confidence ? 1 : 0 }));
    bias += calibrationError(calibrated) / DRAWS;
  }
  const errors: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const drawn = cases.flatMap(() => cases[Math.floor(random() * cases.length)]!);
    errors.push(calibrationError(drawn) - bias);
  }
  errors.sort((a, b) => a - b);
  const at = (share: number): number => Math.max(0, errors[Math.floor(share * (DRAWS - 1))] ?? 0);
  return { value: Math.max(0, calibrationError(all) - bias), low: at(0.025), high: at(0.975) };
}
