import type { ReleaseChanges } from '../engine/change.ts';
import { release20221115 } from './2022-11-15/index.ts';
import { release20230430 } from './2023-04-30/index.ts';
import { release20231015 } from './2023-10-15/index.ts';

/** The history of the API, oldest first. */
export const releases: readonly ReleaseChanges[] = [
  // One a line, as they came.
  release20221115,
  release20230430,
  release20231015,
];
