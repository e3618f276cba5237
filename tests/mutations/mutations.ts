// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the patches quote code that contains templates.
/*
 * Breaking mutations of what the platform team writes and of what carries it. Each is a textual patch whose `find`
 * stands exactly once in its file. A mutation that no test notices is a test that is missing.
 */
export interface Mutation {
  /** What is broken, as someone would say it. */
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const of =
  (file: string) =>
  (name: string, find: string, replace: string): Mutation => ({ name, file, find, replace });

const r = 'translators/releases';
const e = 'translators/engine';
const [index, r22, r23, r2310] = ['', '2022-11-15/', '2023-04-30/', '2023-10-15/'].map((each) =>
  of(`${r}/${each}index.ts`),
) as [ReturnType<typeof of>, ReturnType<typeof of>, ReturnType<typeof of>, ReturnType<typeof of>];
const details = of(`${r}/2022-11-15/detail-errors.ts`);
const places = of(`${r}/2022-11-15/move-api-key-to-header.ts`);
const report = of(`${r}/2022-11-15/report-confidence.ts`);
const pages = of(`${r}/2023-04-30/page-by-cursor.ts`);
const sex = of(`${r}/2023-04-30/rename-gender-to-sex.ts`);
const contact = of(`${r}/2023-04-30/restructure-contact.ts`);
const formats = of(`${r}/2023-10-15/change-api-key-format.ts`);
const result = of(`${r}/2023-10-15/rename-analysis-result.ts`);
const confidence = of(`${r}/2023-10-15/restructure-confidence.ts`);
const images = of(`${r}/2023-10-15/keep-imaging-results.ts`);

const patient = of('schemas/resources/patient.ts');
const patients = of('schemas/operations/patients.ts');
const parametersOf = of('schemas/operations/parameters.ts');
const analysis = of('schemas/resources/analysis.ts');
const page = of('schemas/resources/page.ts');
const codes = of('schemas/errors.ts');
const dates = of('schemas/history.ts');
const variants = of('schemas/variants.ts');

const catalogue = of(`${e}/catalogue.ts`);
const compile = of(`${e}/compile.ts`);
const describe = of(`${e}/describe.ts`);
const edit = of(`${e}/edit.ts`);
const errors = of(`${e}/errors.ts`);
const operationEdits = of(`${e}/describe-operations.ts`);
const rules = of(`${e}/describe-rules.ts`);
const parameters = of(`${e}/parameters.ts`);
const narrowed = of(`${e}/places.ts`);
const plan = of(`${e}/plan.ts`);
const pointers = of(`${e}/pointers.ts`);
const run = of(`${e}/run.ts`);
const step = of(`${e}/step.ts`);
const tree = of(`${e}/tree.ts`);
const update = of(`${e}/update.ts`);
const evaluate = of(`${e}/evaluate.ts`);
const coreWire = of('gateway/forward/core-wire.ts');
const answerFault = of('gateway/answer-fault.ts');
const query = of('gateway/forward/query.ts');
const translated = of('gateway/forward/translated.ts');
const answerFaults = of('gateway/answer-fault.ts');
const values = of(`${e}/values.ts`);
const valueWords = of(`${e}/describe-values.ts`);
const scopes = of(`${e}/scopes.ts`);
const headers = of(`${e}/headers.ts`);

export const mutations: readonly Mutation[] = [
  // Changes of the shipped releases.
  r23('drop a rename from its release', '[renameGenderToSex, ', '['),
  r23('drop an added member from its release', 'addGenderIdentity, restructureContact', 'restructureContact'),
  r23('drop a restructuring from its release', 'restructureContact, pageByCursor]', 'pageByCursor]'),
  r23('drop the change of pages', ', pageByCursor]', ']'),
  r2310('drop the rename of the result', '[renameAnalysisResult, ', '['),
  r2310('drop a conversion', 'restructureConfidence, changeApiKeyFormat', 'changeApiKeyFormat'),
  r2310('drop a behaviour', ' changeApiKeyFormat,', ''),
  r2310('drop the narrowing of a resource', ', keepImagingResults]', ']'),
  r22('drop the detail of errors', 'detailErrors, reportConfidence', 'reportConfidence'),
  r22('drop the report of confidence', ', reportConfidence]', ']'),
  r22('name a release by another day', "id: '2022-11-15'", "id: '2022-11-16'"),
  index('put releases out of order', 'release20221115,\n  release20230430,', 'release20230430,\n  release20221115,'),
  index('leave out a release', '  release20230430,\n', ''),
  sex('swap the direction of a rename', "rename('gender', 'sex')", "rename('sex', 'gender')"),
  sex('rename to another older name', "rename('gender', 'sex')", "rename('genre', 'sex')"),
  sex(
    'forget the sentence',
    "'`gender` of a patient is called `sex`, with the same values, because that is what it always recorded.'",
    "' '",
  ),
  result('give two changes one id', "id: 'rename-analysis-result'", "id: 'restructure-confidence'"),
  result('name a resource that is not there', "['Analysis', ", "['Analyses', "),
  contact('drop an `added` inside an object', ", added('contact_info.preferred_method')", ''),
  contact(
    'apply the edits of a change in the wrong order',
    "[rename('contact', 'contact_info'), added('contact_info.preferred_method')]",
    "[added('contact_info.preferred_method'), rename('contact', 'contact_info')]",
  ),
  contact(
    'hide another member than the new one',
    "added('contact_info.preferred_method')",
    "added('contact_info.phone')",
  ),
  details('keep the details of errors for the oldest version', "added('details'),", ''),
  details('keep the link of errors for the oldest version', "added('documentation_url'),", ''),
  details('keep the failed change for the oldest version', "added('change'),", ''),
  details('keep the committed mark for the oldest version', "added('committed'),", ''),
  places('forget a behaviour flag', "['header', 'query']", "['header']"),
  places('let a behaviour flag refuse what is still allowed', "['header', 'query']", "['query']"),
  formats('refuse old keys in older versions', "['current', 'legacy']", "['current']"),
  formats('refuse new keys in older versions', "['current', 'legacy']", "['legacy']"),
  pages('lose the offset context', 'context: { offset, limit } satisfies OffsetRequest,', ''),
  pages('remember another limit', "? query['limit'] : DEFAULT_LIMIT", '? DEFAULT_LIMIT : DEFAULT_LIMIT'),
  pages('change the default page size', 'DEFAULT_LIMIT = 20', 'DEFAULT_LIMIT = 25'),
  pages('do not ask for the total', 'include_total: true', 'include_total: false'),
  pages('forget the position', '...(offset > 0 ? { offset } : {}),', ''),
  pages('answer members in each other’s place', 'return [total, offset, limit]', 'return [total, limit, offset]'),
  pages('keep a parameter that the older version had not', "['cursor', 'include_total']", "['cursor']"),
  pages(
    'allow an offset below zero',
    'minimum: 0, maximum: 1_000_000, default: 0',
    'minimum: -9, maximum: 1_000_000, default: 0',
  ),
  pages(
    'tighten a derived answer',
    "minimum: 1, maximum: 100, description: 'Most",
    "minimum: 1, maximum: 10, description: 'Most",
  ),
  report('run a change that looks inside others between them', 'looksInside: true,', ''),
  report('show the condition’s id for its name', 'condition: condition.name', 'condition: condition.id'),
  report('show treatments by id', '({ name }) => name', '({ id: name }) => name'),
  report(
    'turn the ranking round',
    '(result as NewerResult).suggestions.map(',
    '[...(result as NewerResult).suggestions].reverse().map(',
  ),
  report(
    'leave out the last suggestion',
    '(result as NewerResult).suggestions.map(',
    '(result as NewerResult).suggestions.slice(0, 1).map(',
  ),
  confidence('show the lower end for the estimate', 'confidence.estimate', 'confidence.interval.low'),
  confidence('round the estimate', 'confidence.estimate', 'Math.round(confidence.estimate)'),
  confidence(
    'loosen a derived number',
    "maximum: 1, description: 'Probability that",
    "maximum: 100, description: 'Probability that",
  ),

  images('let a new word through', "        valueAdded('kind', ['imaging']),\n", ''),
  images('let null through', "        becameNullable('patient_id', 'The patient it is about.'),\n", ''),
  images('ask for what is to be kept from a version', 'include_imaging: false', 'include_imaging: true'),
  images('show a choice that a version has not', "removes: ['include_imaging']", 'removes: []'),
  images('forget an operation that finds what is kept from a version', "  'jobs.result',\n", ''),

  // The contract at head.
  patient('take a word from an enum', "['female', 'male', 'other', 'unknown']", "['female', 'male', 'unknown']"),
  patient(
    'give an enum a word that older versions never had',
    "'other', 'unknown']",
    "'other', 'unknown', 'nonbinary']",
  ),
  patient('loosen a required text', 'minLength: 1, maxLength: 200', 'minLength: 0, maxLength: 200'),
  patient('tighten the length of a text', 'minLength: 1, maxLength: 200', 'minLength: 1, maxLength: 20'),
  patient(
    'drop a word of an enum that is stored',
    "['email', 'phone', 'sms', 'mail', 'none']",
    "['email', 'phone', 'mail', 'none']",
  ),
  patient(
    'drop the format of a member',
    ", { format: 'email', description: 'Email address.'",
    ", { description: 'Email address.'",
  ),
  patient('rename a member without a change', '    dob: day(', '    birth_date: day('),
  variants('forget what is required in a whole body', "if (!isOptional && mode === 'full') required.push(name);", ''),
  variants(
    'require everything in a patch',
    "if (!isOptional && mode === 'full') required",
    'if (!isOptional) required',
  ),
  variants('take unknown members', 'additionalProperties: false }', '}'),
  variants('let an empty patch through', ', minProperties: 1 }', ' }'),
  page('promise a cursor on the last page', "type: ['string', 'null'],\n", "type: 'string',\n"),
  codes('answer a code by another status', 'validation_failed: { status: 422', 'validation_failed: { status: 400'),
  patients('answer another status', 'status: 201', 'status: 200'),
  patients(
    'take an operation from the oldest version',
    "id: 'patients.delete',",
    "id: 'patients.delete',\n    since: '2022-11-15',",
  ),
  parametersOf('cut a filter from its field', "link: { resource, role: 'filter', fields: [path] },", ''),
  parametersOf('cut the sort keys from their fields', "link: { resource, role: 'sort', fields: sortable },", ''),
  parametersOf('change the default of every list', 'maximum: 100, default: 20', 'maximum: 100, default: 50'),
  analysis(
    'tighten a limit of the analysis',
    'minimum: 1, maximum: 50, default: 5',
    'minimum: 1, maximum: 1, default: 1',
  ),
  analysis(
    'take away the null of a member',
    'confidence: orNull(ref(ConfidenceScore))',
    'confidence: ref(ConfidenceScore)',
  ),
  dates('retire a version earlier', "sunset: '2024-04-30'", "sunset: '2024-04-29'"),
  dates('announce a retirement on another day', "deprecated: '2023-08-17'", "deprecated: '2023-08-16'"),

  // The engine: order and direction.
  edit(
    'swap the direction of every rename upward',
    'moved(tree, edit.older, edit.newer)',
    'moved(tree, edit.newer, edit.older)',
  ),
  edit(
    'put a converted member at the end',
    'output === 0 && slot !== undefined',
    'output === 99 && slot !== undefined',
  ),
  edit(
    'loosen what a converted member requires',
    'member.required ?? taken.every((node) => node.required)',
    'member.required ?? false',
  ),
  edit(
    'drop the older member’s place in a rename',
    'return put(tree, to, node, from.at(-1));',
    'return put(take(tree, from).tree, to, node);',
  ),
  edit('let through what the older version has not', '!edit.has(value)', '!edit.has(value) && value === undefined'),
  tree('lose the order of keys in renames', 'if (key === instead) {', "if (key === instead && key === '') {"),
  catalogue('derive schemas in the order of upward edits', '[...edits].reverse().reduce(', '[...edits].reduce('),
  run('apply the edits of a run in upward order downward', 'of [...edits].reverse()) {', 'of [...edits]) {'),
  run('apply the edits of a run in downward order upward', 'of newerSides.reverse())', 'of newerSides)'),
  run(
    'fuse what must see its own place in history',
    'if (!convertsValues && !looksInside(step, reachable(catalogue.contracts[level + 1]!, ref))) continue;',
    'continue;',
  ),
  plan('apply runs oldest first downward', 'return [...runs].reverse().map(prepare);', 'return runs.map(prepare);'),
  errors(
    'translate errors oldest change first',
    "[...runsBetween(catalogue, level, catalogue.steps.length, 'ErrorBody')]\n    .reverse()",
    "[...runsBetween(catalogue, level, catalogue.steps.length, 'ErrorBody')]",
  ),
  catalogue(
    'let a newer flag win over the older one',
    'steps.slice(level).reverse()) Object.assign',
    'steps.slice(level)) Object.assign',
  ),
  catalogue('give a release the contract before its own changes', 'step.release <= id', 'step.release < id'),

  // The engine: places.
  compile('forget the entries of lists', 'out[i] = ${item}(v[i], x);', 'out[i] = v[i];'),
  compile('forget dictionaries', '[k, ${each}(e, x)]', '[k, e]'),
  compile(
    'let a dictionary’s key set a prototype',
    'Object.fromEntries(Object.entries(v).map(([k, e]) => [k, ${each}(e, x)]))',
    'Object.entries(v).reduce((o, [k, e]) => { o[k] = ${each}(e, x); return o; }, {})',
  ),
  compile('forget inline objects', '{ ...v, ${members.join(', '{ ...v, ${members.slice(99).join('),
  compile(
    'forget a union’s alternatives',
    'return code === undefined ? [] : [`    case',
    'return code !== undefined ? [] : [`    case',
  ),
  compile(
    'forget nullable references',
    'const inner = this.#walker(only);',
    'return this.#helper((name) => `function ${name}(v) { return v; }`);\n      const inner = this.#walker(only);',
  ),
  compile(
    'drop null handling in references',
    'return v == null ? v : ${target}(v, x); }`',
    'return ${target}(v, x); }`',
  ),
  compile(
    'drop null handling in lists',
    '  if (v == null) return v;\n  if (!Array.isArray(v)) mismatch();\n  const n',
    '  if (!Array.isArray(v)) mismatch();\n  const n',
  ),
  compile(
    'let a wrong shape through in place of a list',
    '  if (!Array.isArray(v)) mismatch();\n  const n',
    '  const n',
  ),
  compile(
    'let a wrong shape through in place of an object',
    '\'  if (typeof s !== "object" || s === null || Array.isArray(s)) mismatch();\',',
    "'',",
  ),
  compile('mutate lists that are given', 'out = new Array(n)', 'out = v'),
  compile(
    'mutate inline objects that are given',
    "{ ...v, ${members.join(', ')} }; }",
    "Object.assign(v, { ${members.join(', ')} }); }",
  ),
  compile('send computed read-only members up', 'tree : writableOnly(tree)', 'tree : tree'),
  compile('do not name the change that throws', '(at.step = ${step}, converters', '(converters'),
  compile('name the change before for a fault of structure', "this.statements.push('at.step = -1;');", ''),
  compile('withhold the context of the request', '#functionOf(ref)}(body, x)', '#functionOf(ref)}(body, undefined)'),
  step('forget the page around items', "if (variant === 'page' && !seen.has('Page')) visit('Page');", ''),
  step('do not follow references', 'if (schema) eachRef(schema, visit);', ''),

  // The engine: requests.
  plan('lose the context of a query', 'contexts[step.change.id] = result.context;', ''),
  plan('lose the position of a query', 'if (result.offset !== undefined) offset = result.offset;', ''),
  plan('keep the wrong status', '? operation.response.status : status', '? head.response.status : status'),
  plan('drop the pointer map', 'pointer = pointer === undefined ? undefined : map.down(pointer);', 'void map;'),
  plan(
    'blame the client for what it cannot see',
    'if (details.length === 0 && (error.details ?? []).length > 0) return undefined;',
    '',
  ),
  plan('replace in every run of a chain', "index === 0 ? mode : 'patch'", 'mode'),
  plan(
    'tell parameters by the names of head',
    'return parameter === undefined ? undefined : { ...detail, parameter };',
    'return detail;',
  ),
  plan('give an operation to the version before it', 'head.since > release', 'head.since < release'),
  plan(
    'name two versions’ forms alike',
    'JSON.stringify([release, ref ?? null, shape, schemas])',
    'JSON.stringify([ref ?? null, schemas.length])',
  ),
  plan('say that answers are never touched', 'down.length > 0 || refusals.length > 0 ||', ''),
  parameters('keep the older name of a filter beside the newer', 'gone.add(olderName);', ''),
  parameters(
    'drop the rename of a query’s parameter',
    'name: parameter.name === field ? name : parameter.name',
    'name: parameter.name',
  ),
  parameters(
    'sort by a converted member',
    'return place?.exact ? [formatPath(place.path)] : [];',
    'return place ? [formatPath(place.path)] : [];',
  ),
  parameters('drop the rename of sort keys', 'names.get(field) ?? field', 'field'),
  parameters('forget that a sort key is reversed', "`${descending ? '-' : ''}${names", '`${names'),
  parameters(
    'do not convert the value of a filter',
    'const value = convert ? evaluate(convert, nested(place.path, given)) : given;',
    'const value = given as unknown;',
  ),
  parameters(
    'let a filter ask for a word that the older version has not',
    'schema.enum.filter((word) => words.includes(word))',
    'schema.enum',
  ),
  narrowed(
    'take a narrowed member for a converted one',
    'const exact = isSame(node.from);',
    "const exact = node.from.op === 'get';",
  ),
  parameters('let a filter ask for null', 'filterSchema(schemaOf(node))', 'schemaOf(node)'),
  parameters(
    'show a filter that the version cannot see',
    'if (!place || !node) return [];',
    'if (!place || !node) return [parameter];',
  ),
  pointers(
    'forget pointers into lists',
    'if (schema.items) return [first, ...(inSchema(schema.items, rest) ?? [])];',
    'if (schema.items) return tokens;',
  ),
  pointers(
    'forget pointers into dictionaries',
    'return [first, ...(inSchema(schema.additionalProperties, rest) ?? [])];',
    'return tokens;',
  ),
  pointers('forget to unescape pointers', ".replaceAll('~1', '/')", ''),
  pointers('point below what was converted', 'if (found.depth < depth || !place.exact) return place.path;', ''),
  errors('keep the newer error code', 'code = edit.older;', ''),
  errors('keep the newer error’s status', 'status = edit.olderStatus ?? status;', ''),
  catalogue(
    'leave the derived list of error codes as it is',
    'schema.enum.map((word) => (word === newer ? older : word))',
    'schema.enum.map((word) => word)',
  ),
  catalogue(
    'let the discriminator be edited',
    'path.length === 1 && path[0] === name',
    'path.length === 0 && path[0] === name',
  ),

  // The engine: writes to what exists.
  update('drop `needsPrior`', '(partial || target.needsPrior)', 'partial'),
  update('compute from a part of what a converter needs', '(partial || target.needsPrior)', 'target.needsPrior'),
  update('keep what a replacement leaves out', "value === undefined && mode === 'replace' ? null : value", 'value'),
  update(
    'clear in a patch what is left out',
    "value === undefined && mode === 'replace' ? null : value",
    'value === undefined ? null : value',
  ),
  update(
    'use the whole object’s null as a wholesale clear',
    '} else setPath(patch, target.path, value);',
    '} else if (body[target.from.path[0] as string] === null) patch[target.path[0] as string] = null;\n          else setPath(patch, target.path, value);',
  ),
  evaluate('ignore the null of an object', 'if (value === null) return null;', 'if (value === null) return undefined;'),
  update('mutate the client’s body', 'structuredClone(prior &&', '(prior &&'),
  update(
    'invent read-only members',
    'if (target.readOnly && readPath(body, target.inputs[0] as Path) === undefined) continue;',
    '',
  ),
  update(
    'write newer values of nested resources unwalked',
    'return value === null || value === undefined ? value : walker(value);',
    'return value;',
  ),
  update(
    'forget which parts are stored when a patch names one',
    'mergePatch(older(prior), body) : body',
    'body : body',
  ),

  // The descriptions.
  describe('leave null in a narrowed schema', '...notNull(newer)', '...newer'),
  describe('leave a word in a narrowed schema', 'return { ...newer, enum: older };', 'return newer;'),
  describe(
    'drop null handling of words',
    "typeof value === 'string' ? lookUp(table, value) : value",
    'lookUp(table, value as string)',
  ),
  describe('swap the tables of words', 'answer(words.up, value)]', 'answer(words.down, value)]'),
  describe('forget which of two words is stored', 'needsPrior: ambiguous', 'needsPrior: false'),
  describe(
    'overwrite the stored word by its sibling',
    "[typeof stored === 'string' && answer(words.down, stored) === value ? stored : answer(words.up, value)]",
    '[answer(words.up, value)]',
  ),
  describe('let a newer word go without an answer', 'if (unanswered.length > 0)', 'if (unanswered.length > 99)'),
  describe('let an older word go without an answer', 'if (unknown.length > 0)', 'if (unknown.length > 99)'),
  describe('forget null in a mapped enum', '[...older, null] : older', 'older : older'),
  describe(
    'forget null in a converted member',
    'return newer && isNullable(newer) ? nullable(schema) : schema;',
    'return schema;',
  ),
  describe(
    'give null to a converter downward',
    'down: ([value]) => [absentOrNull(value) ? value : down(',
    'down: ([value]) => [down(',
  ),
  describe('give null to a converter upward', '[absentOrNull(value) ? value : up(', '[up('),
  describe(
    'keep the next entry when the one is cleared',
    'if (value === null) return [[]];',
    'if (value === null) return [stored.slice(1)];',
  ),
  describe(
    'drop the other entries of a list',
    '[[wrap(value as Static<Older>, known ?? first), ...rest]]',
    '[[wrap(value as Static<Older>, known ?? first)]]',
  ),
  describe(
    'do not read a list before changing its first entry',
    'return [[wrap(value as Static<Older>, known ?? first), ...rest]];\n    },\n    needsPrior: true,',
    'return [[wrap(value as Static<Older>, known ?? first), ...rest]];\n    },\n    needsPrior: false,',
  ),
  describe(
    'split anew what is written back unchanged',
    'if (stored && isDeepStrictEqual(splitting.join(stored), whole)) return priors as readonly unknown[];',
    '',
  ),
  describe('lose the first value of a new member', 'up: () => [initially]', 'up: () => [undefined]'),
  describe('print nothing for a member that is gone', 'down: () => [options.printed]', 'down: () => [undefined]'),
  describe(
    'swap older and newer in renames',
    "{ kind: 'move', older: parsePath(older), newer: parsePath(newer) }",
    "{ kind: 'move', older: parsePath(newer), newer: parsePath(older) }",
  ),

  // Where the gateway meets the engine.
  answerFault('hide that a write was committed', 'return committedTranslationFault(error, id);', 'return error;'),
  query(
    'drop the cursor of a position',
    'queryText({ ...query, [positionOf(plan)]: cursorAt(exchange, plan, query, offset) })',
    'queryText(query)',
  ),
  query(
    'keep what a query became for requests without one',
    "if (exchange.search === '') withoutQuery.set",
    'withoutQuery.set',
  ),
  coreWire(
    'relay an answer that a change touches',
    '!readOlder && !plan.touchesResponse && !plan.head.atRest',
    '!readOlder && !plan.head.atRest',
  ),

  // What was found to go unnoticed once.
  describe('keep an entry of a list twice', '!isDeepStrictEqual(unwrap(other), value)', 'true'),
  describe('map no word of a list', 'value.map((each) => answer(table, each))', 'value'),
  update(
    'let a merge patch change what an object inherits',
    'Object.hasOwn(result, name) ? result[name] : undefined',
    'result[name]',
  ),
  query('continue from a position by a fixed name', '[positionOf(plan)]', "['cursor']"),
  plan(
    'keep the tag of an answer that is converted otherwise',
    'change.mended ?? 0,\n          convertersOf(edits),',
    '0,\n          [],',
  ),
  plan('lose the fault of a renamed parameter', '      current = renamed;\n', ''),
  errors('link an older code to the newer one', 'documentationUrl(code as ErrorCode)', 'documentationUrl(error.code)'),
  catalogue('rename a code in errors only', "['ErrorBody', 'ErrorDetail']", "['ErrorBody']"),
  catalogue('serve two operations at one path', 'shape(each) === shape(before)', 'false'),
  catalogue('accept older paths with other parameters', 'names(path) !== names(after.path)', 'false'),
  catalogue('accept a rename that renames nothing', 'formatPath(edit.older) === formatPath(edit.newer)', 'false'),
  of(`${e}/field-names.ts`)(
    'forget the names of a field that was added and then renamed',
    'each.isSeen = false',
    "[each.isSeen, each.name] = [false, '']",
  ),
  of('translators/contract/ledger.ts')(
    'let the ledger be edited',
    'entry.after !== after || hashOf(entry) !== hash',
    'false',
  ),
  of('translators/contract/ledger.ts')('let locks be deleted', 'text === undefined', "text === ''"),
  of('translators/contract/ledger.ts')('let sentences be edited', '&& sentences[change] !== digest', '&& false'),
  update(
    'keep the entries of a dictionary that a replacement leaves out',
    '{ ...cleared(readPath(prior, target.path), value), ...value }',
    'value',
  ),
  of(`${e}/blame.ts`)(
    'let the client be blamed for what a converter made',
    'const change = maker(catalogue, runs, ref, fault);',
    'const change = undefined as string | undefined;',
  ),
  catalogue('let an operation go on after its end', "edit.kind === 'ended' && edit.operation === operation", 'false'),
  plan('ask core for a path under older names', 'pathNames.get(name) ?? name', 'name'),
  edit('write nothing for what older clients leave out', 'isLeftOut(value) ? edit.before : value', 'value'),
  edit('write the older default over what was chosen', 'isLeftOut(value) ? edit.before : value', 'edit.before'),
  edit(
    'require of older clients what only newer ones must give',
    'required: edit.required ?? node.required',
    'required: node.required',
  ),
  edit(
    'forget what an older client meant by null',
    'value === undefined || (value === null && !isNullable(newer.schema))',
    'value === undefined',
  ),
  rules(
    'take a value that head refuses for what is left out',
    'if (fault) throw new EditRefused(`"${path}": the newer',
    'if (false) throw new EditRefused(`"${path}": the newer',
  ),
  rules(
    'accept a default that is the same',
    'newer.default !== undefined && isDeepStrictEqual(newer.default, before)',
    'false',
  ),
  rules('keep the newer default in the older contract', '{ ...newer, default: before }', 'newer'),
  rules(
    'show an older client more than it allows',
    'allows?.(value) ? value : shown(value as T)',
    'true ? value : shown(value as T)',
  ),
  rules(
    'cut what an older client may see whole',
    'value === undefined || value === null || allows?.(value)',
    'value === undefined || value === null',
  ),
  rules('lose what was cut when it is written back', 'isKept ? stored : value', 'value'),
  rules('accept wider rules that are the same', 'isDeepStrictEqual({ ...newer, ...before }, newer)', 'false'),
  operationEdits(
    'forget the older default of a parameter',
    'Object.hasOwn(query, parameter) ? query : { ...query, [parameter]: before }',
    'query',
  ),
  operationEdits(
    'set the older default over what was asked',
    'Object.hasOwn(query, parameter) ? query : { ...query, [parameter]: before }',
    '{ ...query, [parameter]: before }',
  ),
  operationEdits(
    'drop the other parameters of a query',
    '{ ...others, ...Object.fromEntries(made) }',
    'Object.fromEntries(made)',
  ),
  operationEdits(
    'ask for related parameters that nobody gave',
    'if (Object.keys(given).length === 0) return { query: others };',
    '',
  ),
  parameters('keep a filter that nothing leads up from', '!inverse?.exists || inverse.starts !== 1', 'false'),
  parameters(
    'keep a filter on a list',
    'schema.$ref !== undefined || typesOf(notNull(schema)).some(isCompound)',
    'false',
  ),
  parameters('split a filter where a part can be null', '&& !inverse.leadsTo.some(isNullable)', ''),
  parameters('split a filter where a part cannot be asked for', 'fields.every(isFiltered) && ', ''),
  parameters('ask for nothing as text', "value === undefined || value === null || typeof value === 'object'", 'false'),
  parameters(
    'keep the newer schema of an adapted parameter',
    '{ ...each, schema: edit.adapts.schema(each.schema) }',
    'each',
  ),
  errors(
    'answer an error where an older version had a success',
    'success = { status: answered, ...(data && { data: bodyAt(step)(guarded(step, () => data(error))) }) };',
    'status = answered;',
  ),
  errors('keep the newer code of one operation', 'code = edit.older.code;', ''),
  errors('keep the newer status of one operation', 'status = edit.older.status ?? status;', ''),
  errors(
    'rename the error of one operation in all',
    "edit.kind === 'operation-error' && edit.operation === operation",
    "edit.kind === 'operation-error'",
  ),
  catalogue(
    'accept an error that the operation does not have',
    'operation.errors.includes(edit.newer) || commonErrors.includes(edit.newer)',
    'true',
  ),
  of(`${e}/field-values.ts`)(
    'leave a value beside a field’s name as it was',
    "const known = typeof field === 'string' ? converted.get(field) : undefined;",
    'const known = undefined as ReturnType<typeof converted.get>;',
  ),
  of(`${e}/field-values.ts`)(
    'convert a value that is none of the field',
    'inputs.length > 1 || !is(value)',
    'inputs.length > 1',
  ),
  of('translators/contract/impure.ts')(
    'let a converter use the clock',
    'OUTSIDE.filter(([pattern]) => pattern.test(code))',
    'OUTSIDE.filter(([pattern]) => false && pattern.test(code))',
  ),
  of('translators/contract/change-examples.ts')(
    'take examples at their word',
    'if (!isDeepStrictEqual(got, plain(to)))',
    'if (false)',
  ),

  // What travels, what is new, what is of one operation only.
  values('keep identifiers in the older form upward', 'edit[direction](value)', 'edit.down(value)'),
  values('convert what is no value', "if (typeof value !== 'string' || !has(value)) return value;", ''),
  values(
    'show words that the older version has not',
    'if (other === undefined) throw new NotInVersion(`the older version has no ${edit.of} like it`);',
    'if (other === undefined) return value;',
  ),
  values('forget what says that it is the same', "if (schema['x-same-as']?.includes(edit.of)) return true;", ''),
  values('take any list of words for the one', 'words.length > 0 && words.length === known.length', 'words.length > 0'),
  values(
    'leave parameters as they are',
    'for (const { edit, reference } of values) schema = olderValues(schema, edit, reference);',
    '',
  ),
  valueWords(
    'give renamed words their newer names downward',
    'down: (word) => older.get(word) ?? word,',
    'down: (word) => word,',
  ),
  valueWords('show added words', 'down: known,', 'down: (word) => word,'),
  valueWords('keep added words in the contract', 'older: (schema) => withWords(schema, known),', 'older: () => ({}),'),
  plan('leave identifiers in paths as they are', 'pathNames.size === 0 && pathValues.size === 0', 'true'),
  plan(
    'take no error for what was one',
    'refusal: (data) => refusals.find(({ when }) => when(data))?.code,',
    'refusal: () => undefined,',
  ),
  plan(
    'give events their newer names',
    'eventName: (name) => events.names.get(name) ?? name,',
    'eventName: (name) => name,',
  ),
  plan(
    'send events that came later',
    'if (edit.older === undefined) names.delete(name);',
    'if (edit.older === undefined) names.set(name, name);',
  ),
  compile('answer a list that fails for one entry', 'keepFrom(e); at.step = -1;', 'throw e;'),
  compile(
    'answer 500 for what is not shown',
    'throw new NotShown(changes[at.step], error);',
    'throw new TranslationFailed(changes[at.step], error);',
  ),
  scopes('change every operation with the one', 'if (!own) return operation;', 'return operation;'),
  scopes('tell clients of two resources that are the same', 'same.has(name) ? [] : [[name', '[[name'),
  scopes(
    'keep the newer name of a schema',
    'const other = names.get(name);',
    'const other = undefined as string | undefined;',
  ),
  headers('keep the newer name of a header', 'older = edit.older;', 'older = name;'),
  headers('convert the value of no header', 'if (convert) converts.push', 'if (false) converts.push'),
  headers(
    'send core every cookie',
    "if (kept.length > 0) result['cookie'] = kept.join('; ');",
    "if (given['cookie']) result['cookie'] = String(given['cookie']);",
  ),
  rules('show alternatives that came later', '!words.includes(String(value[told]))', 'true'),
  rules(
    'show words of a list that came later',
    '[Array.isArray(list) ? list.filter((word) => !isNew(word)) : list]',
    '[list]',
  ),
  rules(
    'lose words of a list that are not seen',
    'const kept = Array.isArray(stored) ? stored.filter(isNew) : [];',
    'const kept: unknown[] = [];',
  ),
  rules('send head what it takes no more', '[isFine(value) ? value : fit(value as T)]', '[value]'),
  operationEdits(
    'answer the newer media type',
    "return { kind: 'media-type', operation, older };",
    "return { kind: 'status', operation, older: 200 };",
  ),
  translated('read a form as JSON', 'if (mediaType === FORM) return', 'if (mediaType === undefined) return'),
  answerFaults(
    'answer 500 in place of 404 for what is not shown',
    "if (error instanceof NotShown) return new Fault('not_found', { cause: error });",
    '',
  ),
];
