import Type, { type Static } from 'typebox';
import { oneOf } from '../fields.ts';

/** How intervals are worked out. */
export const intervalMethods = [
  'wilson',
  'exact_poisson',
  'fay_feuer_gamma',
  'newcombe',
  'katz_log',
  'greenland_robins',
  'greenwood_log_log',
  'jackknife_log_log',
] as const;

/** Between which values the true one lies. */
export const ConfidenceInterval = Type.Object(
  {
    level: Type.Number({ minimum: 0, maximum: 1, description: 'How often such an interval holds the true value.' }),
    low: Type.Number({ description: 'Lower end.' }),
    high: Type.Number({ description: 'Upper end.' }),
    method: oneOf(intervalMethods, { description: 'How it is worked out.' }),
    is_coarse: Type.Boolean({
      description:
        'Whether rounding the numbers of people may move the estimate further than half of what chance does: the interval then says too little.',
    }),
  },
  { $id: 'ConfidenceInterval', title: 'ConfidenceInterval', description: 'A 95 % interval of an estimate.' },
);
/** Between which values the true one lies. */
export type ConfidenceInterval = Static<typeof ConfidenceInterval>;
