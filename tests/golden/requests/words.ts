import type { GoldenRequest } from '../exchange.ts';

/** How a release calls things. */
export interface Words {
  readonly release: string;
  readonly sex: string;
  readonly contact: string;
  /** A name that an older or a newer release has for `sex`, and this one has not. */
  readonly notSex: string;
  readonly byCursor: boolean;
  readonly preferredMethod: boolean;
  readonly genderIdentity: boolean;
}

const before2023 = {
  sex: 'gender',
  notSex: 'sex',
  contact: 'contact',
  byCursor: false,
  preferredMethod: false,
  genderIdentity: false,
} as const;
const since2023 = {
  sex: 'sex',
  notSex: 'gender',
  contact: 'contact_info',
  byCursor: true,
  preferredMethod: true,
  genderIdentity: true,
} as const;

/**
 * A release that is not here is asked in the words of the last one that is, raised to its own contract (`raise.ts`): it
 * needs a row only where a request should say something that no older version could.
 */
const words: readonly Words[] = [
  { release: '2022-05-01', ...before2023 },
  { release: '2022-11-15', ...before2023 },
  { release: '2023-04-30', ...since2023 },
  { release: '2023-10-15', ...since2023 },
];

/** The requests of one operation. */
export interface OperationRequests {
  readonly operation: string;
  /** Core's answers follow from the knowledge base: they are recorded too, and given again in replays. */
  readonly frozenCore?: boolean;
  /** Nobody works on jobs from here on; such operations come last. */
  readonly withoutJobs?: boolean;
  requests(words: Words): readonly GoldenRequest[];
}

/** A reading request. */
export const get = (name: string, path: string, more: Partial<GoldenRequest> = {}): GoldenRequest => ({
  name,
  method: 'GET',
  path,
  ...more,
});
/** A request that writes. */
export const send = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  name: string,
  path: string,
  body?: unknown,
  more: Partial<GoldenRequest> = {},
): GoldenRequest => ({ name, method, path, ...(body === undefined ? {} : { body }), ...more });

/** The words of a release: its own, or those of the last release before it that has some. */
export function wordsOf(release: string): Words {
  const found = words.findLast((each) => each.release <= release);
  if (!found) throw new Error(`tests/golden/requests/words.ts has no words for ${release} or any release before it`);
  return found;
}
