import type { LookupTable, Window } from './dicom/image-header.ts';

/** Most that a brightness can be; the least is 0. */
const BRIGHTNESS_MAX = 255;

/**
 * The brightness of a value in a window, from 0 to 255: the pseudo-code of DICOM PS3.3, C.11.2.1.2.1 (LINEAR),
 * C.11.2.1.3.2 (LINEAR_EXACT) and C.11.2.1.3.1 (SIGMOID).
 */
export function brightness(value: number, { center, width, function: kind }: Window): number {
  switch (kind) {
    case 'LINEAR':
      if (value <= center - 0.5 - (width - 1) / 2) return 0;
      if (value > center - 0.5 + (width - 1) / 2) return BRIGHTNESS_MAX;
      return ((value - (center - 0.5)) / (width - 1) + 0.5) * BRIGHTNESS_MAX;
    case 'LINEAR_EXACT':
      if (value <= center - width / 2) return 0;
      if (value > center + width / 2) return BRIGHTNESS_MAX;
      return ((value - center) / width + 0.5) * BRIGHTNESS_MAX;
    case 'SIGMOID':
      return BRIGHTNESS_MAX / (1 + Math.exp((-4 * (value - center)) / width));
  }
}

/** The window that shows all values from the least to the largest. */
export function windowOfAll(minimum: number, maximum: number): Window {
  return {
    center: (minimum + maximum) / 2,
    width: Math.max(maximum - minimum, Number.MIN_VALUE),
    function: 'LINEAR_EXACT',
  };
}

/** The entry for a value; those outside have the first and the last (PS3.3, C.11.1.1.1). */
export function lookUp({ firstValue, entries }: LookupTable, value: number): number {
  const at = Math.max(0, Math.min(entries.length - 1, Math.round(value) - firstValue));
  return entries[at] as number;
}
