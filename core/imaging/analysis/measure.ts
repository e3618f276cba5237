import type { ImagingMeasure, ImagingRegion } from '@perennial/schemas/resources/imaging-analysis.ts';
import { QUANTILE, rounded } from './confidence.ts';

/** What a measure needs to be told; the rest follows. */
export interface Measured {
  readonly code: string;
  readonly name: string;
  readonly value: number;
  /** UCUM. */
  readonly unit: '1' | '[pix]' | 'mm' | 'deg' | 'bit';
  /** One standard deviation of the error, in the unit; none for a plain count. */
  readonly deviation?: number;
  /** After the point; by the unit unless told. */
  readonly digits?: number;
  readonly usualLow?: number;
  readonly usualHigh?: number;
  readonly side?: ImagingMeasure['side'];
  readonly method: string;
  readonly region?: ImagingRegion | null;
}

const DIGITS = { '1': 3, '[pix]': 1, mm: 1, deg: 1, bit: 2 } as const;

/** The measure with its interval of 90 %, and what it means against its limits. */
export function measure(from: Measured): ImagingMeasure {
  const digits = from.digits ?? DIGITS[from.unit];
  const reach = from.deviation === undefined ? undefined : QUANTILE * from.deviation;
  const { usualLow = null, usualHigh = null } = from;
  return {
    code: from.code,
    name: from.name,
    value: rounded(from.value, digits),
    unit: from.unit,
    interval:
      reach === undefined
        ? null
        : { low: rounded(from.value - reach, digits), high: rounded(from.value + reach, digits), level: 0.9 },
    usual_low: usualLow,
    usual_high: usualHigh,
    interpretation: interpretation(from.value, reach ?? 0, usualLow, usualHigh),
    side: from.side ?? null,
    method: from.method,
    region: from.region ?? null,
  };
}

function interpretation(
  value: number,
  reach: number,
  low: number | null,
  high: number | null,
): ImagingMeasure['interpretation'] {
  if (low === null && high === null) return null;
  if (low !== null && value + reach < low) return 'below';
  if (high !== null && value - reach > high) return 'above';
  const isNear = (low !== null && value - reach < low) || (high !== null && value + reach > high);
  return isNear ? 'borderline' : 'usual';
}
