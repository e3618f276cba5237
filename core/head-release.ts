import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';

/** The release whose schema core speaks; documents that are kept say at which they were written. */
export const headRelease: string = newestFirst(history)[0]?.id ?? '';
