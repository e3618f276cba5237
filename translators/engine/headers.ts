import type { Operation, Parameter } from '@perennial/schemas/operation.ts';
import type { Catalogue } from './catalogue.ts';
import type { OperationEdit } from './change.ts';
import { TranslationFailed } from './failures.ts';

/**
 * Headers and cookies of one operation: those that its contract declares. What belongs to HTTP or to every operation is
 * the gateway's own.
 */

/** Headers by their names in lower case. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

type HeaderEdit = Extract<OperationEdit, { kind: 'header' }>;

/** An operation before its headers and cookies were changed. */
export function olderHeaders(operation: Operation, edit: HeaderEdit): Operation {
  if (edit.in !== 'answer')
    return {
      ...operation,
      parameters: operation.parameters.map(
        (each): Parameter =>
          each.in === edit.in && each.name === edit.newer
            ? { ...each, name: edit.older, schema: edit.schema ?? each.schema }
            : each,
      ),
    };
  const headers = Object.entries(operation.response.headers ?? {}).map(([name, header]) =>
    name === edit.newer ? [edit.older, { ...header, schema: edit.schema ?? header.schema }] : [name, header],
  );
  return { ...operation, response: { ...operation.response, headers: Object.fromEntries(headers) } };
}

/** Why an edit of a header does not fit, or undefined. */
export function headerFault(operation: Operation | undefined, edit: HeaderEdit): string | undefined {
  if (!operation) return `there is no operation ${edit.operation}`;
  const names =
    edit.in === 'answer'
      ? Object.keys(operation.response.headers ?? {})
      : operation.parameters.filter((each) => each.in === edit.in).map(({ name }) => name);
  const what = edit.in === 'answer' ? 'header of the answer' : edit.in;
  if (!names.includes(edit.newer)) return `${edit.operation} has no ${what} ${edit.newer}`;
  return edit.older !== edit.newer && names.includes(edit.older)
    ? `${edit.operation} has a ${what} ${edit.older} in the newer version as well`
    : undefined;
}

/** What an operation's headers become across all steps from a level on. */
export interface HeaderPlan {
  /** Of a request: what head is to be sent beside what every operation has. */
  request(given: HeaderValues): Record<string, string>;
  /** Of an answer: what the client is to be sent, in the order of the contract. */
  answer(given: HeaderValues): readonly (readonly [string, string])[];
}

/** Prepares the headers of an operation at a level; undefined where it declares none at head. */
export function headersOf(catalogue: Catalogue, level: number, head: Operation): HeaderPlan | undefined {
  const taken = head.parameters.filter((each) => each.in === 'header' || each.in === 'cookie');
  const answered = Object.keys(head.response.headers ?? {});
  if (taken.length === 0 && answered.length === 0) return undefined;
  const steps = catalogue.steps.slice(level);
  const way = (place: HeaderEdit['in'], name: string) => {
    let older = name;
    const converts: ((value: string) => string)[] = [];
    for (const step of [...steps].reverse())
      for (const edit of step.operationEdits)
        if (edit.kind === 'header' && edit.operation === head.id && edit.in === place && edit.newer === older) {
          older = edit.older;
          const convert = place === 'answer' ? edit.down : edit.up;
          if (convert) converts.push((value) => guarded(step.name, () => convert(value)));
        }
    return { name, older, converts: place === 'answer' ? converts : converts.reverse() };
  };
  const headers = taken.filter((each) => each.in === 'header').map(({ name }) => way('header', name.toLowerCase()));
  const cookies = taken.filter((each) => each.in === 'cookie').map(({ name }) => way('cookie', name));
  const answers = answered.map((name) => way('answer', name));
  return {
    request(given) {
      const result: Record<string, string> = {};
      for (const { name, older, converts } of headers) {
        const value = given[older.toLowerCase()];
        if (typeof value === 'string') result[name] = converts.reduce((each, convert) => convert(each), value);
      }
      const sent = cookiesOf(given['cookie']);
      const kept = cookies.flatMap(({ name, older, converts }) => {
        const value = sent.get(older);
        return value === undefined ? [] : [`${name}=${converts.reduce((each, convert) => convert(each), value)}`];
      });
      // No other cookie is any business of core's.
      if (kept.length > 0) result['cookie'] = kept.join('; ');
      return result;
    },
    answer: (given) =>
      answers.flatMap(({ name, older, converts }) => {
        const value = given[name];
        return typeof value === 'string'
          ? [[older, converts.reduce((each, convert) => convert(each), value)] as const]
          : [];
      }),
  };
}

function guarded(change: string, convert: () => string): string {
  try {
    return convert();
  } catch (error) {
    throw new TranslationFailed(change, error);
  }
}

/** The cookies of a request (RFC 6265, section 5.4); the first of a name counts. */
function cookiesOf(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (typeof header !== 'string') return cookies;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}
