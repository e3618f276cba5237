import type { OpenApiOperation } from '../document.ts';

/** Under what an operation is listed. Categories of the contract are about access; a reader looks for the thing. */
const tags: Readonly<Record<string, string>> = {
  analytics: 'Insights from many patients: measures, risks, trends and cohorts.',
  diagnostics: 'Analyses of clinical data, and the results that are kept.',
  dicomweb: 'Images over DICOMweb (PS3.18): search, store, retrieve, render.',
  events: 'What happened, for those who missed a webhook.',
  imaging: 'Studies, their files, analyses and results.',
  jobs: 'Work that takes longer than a request: its state, its result, its end.',
  knowledge: 'Conditions, findings, medications, treatments, guidelines, and how they hang together.',
  medications: 'Interactions of medications, the reasons for overriding them, and names resolved to substances.',
  patients: 'Patient profiles.',
  records: 'Medical records of patients and the files attached to them.',
  webhooks: 'Where events are sent.',
};

/** The tag of a path. */
export function tagOf(path: string): string {
  const [, first = '', , third] = path.split('/');
  if (first === 'units' || (first === 'patients' && third === 'records')) return 'records';
  return Object.hasOwn(tags, first) ? first : 'knowledge';
}

/** Tags with what each stands for. */
export function tagsOf(names: Iterable<string>): readonly { readonly name: string; readonly description: string }[] {
  return [...new Set(names)].sort().map((name) => ({ name, description: tags[name] as string }));
}

/** What a caller has to know of an operation, in sentences that follow from its contract. */
export function descriptionOf(method: string, operation: OpenApiOperation): string {
  const has = (name: string): boolean => (operation.parameters ?? []).some((each) => each.name === name);
  const [, success] = Object.entries(operation.responses).find(([each]) => each.startsWith('2')) ?? [];
  const said = success && 'description' in success ? success.description : '';
  const types = success && 'content' in success ? Object.keys(success.content ?? {}) : [];
  const scope = operation['x-scope'] ?? 'any';
  const lines = [
    `${operation.summary}. ${said}`.trim(),
    scope === 'any'
      ? 'Every key of the account may ask.'
      : `The key needs the scope \`${scope}\`, or \`admin\`${scope.startsWith('patients:read') ? '; who read what is in the audit trail' : ''}.`,
  ];
  if (has('cursor'))
    lines.push('The list comes in pages: send `next_cursor` of one as `cursor` for the next, until it is null.');
  else if (has('offset') && has('limit') && !operation.operationId.startsWith('dicomweb.'))
    lines.push('The list comes in pages: count `offset` on by what was answered, until nothing is left.');
  if (types.includes('application/x-ndjson'))
    lines.push('The answer is one JSON document a line and has no bound: read it line by line.');
  if (types.includes('text/event-stream'))
    lines.push('The answer is a stream of server-sent events: `event` names each, `data` is its JSON.');
  if (has('Idempotency-Key') && !types.some((type) => /ndjson|event-stream/.test(type)))
    lines.push('With an `Idempotency-Key` it can be repeated safely: the same request is carried out once.');
  if (has('If-Match')) lines.push('With `If-Match` it is carried out only on the state that the client has seen.');
  if (method === 'patch')
    lines.push('The body is a merge patch (RFC 7396): what it leaves out stays, what it sets to null is removed.');
  return lines.join('\n\n');
}
