import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { KnowledgeError, loadKnowledge } from '../load.ts';
import { changesFrom } from './changes.ts';
import { type Neighbourhood, neighbourhoods } from './neighbours.ts';
import { type Listed, reviewQueue, unsigned } from './queue.ts';
import { SIGN_OFFS_MAX, SIGNED_KINDS, type SignOff } from './signed.ts';
import { usersOf } from './users.ts';
import { worksheet } from './worksheet.ts';

/* npm run perennial -- knowledge <verb>: review of the knowledge base, and what a change of it changes */

const USAGE = `usage: npm run perennial -- knowledge <verb>

  review [list] [--kind K] [--limit N] [--all] [--json]   what is not signed twice, by danger; --all lists signed ones too
  review show KIND:ID                                     an entry, its version, grade and sign-offs, and all that uses it
  review sign KIND:ID --version V --name TEXT --role TEXT [--note TEXT]
                                                          records a sign-off of the version that was read
  review worksheet [--kind K] [--limit N] [--seed TEXT] --out FILE
                                                          a form for a clinician; with a seed a drawn sample
  changes --against REVISION|FOLDER --cases FILE [--records FILE] [--json]
                                                          which cases and kept records come out differently
  neighbours [CONDITION] [--limit N] [--json]             the ten conditions most like each and what tells them apart;
                                                          without one, the conditions of which the least is listed

KIND is one of ${SIGNED_KINDS.join(', ')}.
`;
const SIGN_OFFS_FILE = new URL('./sign-offs.json', import.meta.url);
const LIMIT = 50;

/** What was asked for cannot be done; the message says why. */
class Refused extends Error {
  override readonly name = 'Refused';
}

/** @returns exit code: 0 done, 1 not possible or something comes out differently, 2 not understood. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        kind: { type: 'string' },
        limit: { type: 'string' },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        version: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        note: { type: 'string' },
        seed: { type: 'string' },
        out: { type: 'string' },
        against: { type: 'string' },
        cases: { type: 'string' },
        records: { type: 'string' },
      },
    });
    const [area, verb = 'list', entry] = positionals;
    if (values.help) return told(USAGE, 0);
    if (area === 'changes') return changes(values);
    if (area === 'neighbours') return neighbours(positionals[1], values);
    if (area !== 'review') return told(USAGE, 2);
    if (verb === 'list') return list(values);
    if (verb === 'show' && entry !== undefined) return show(entry);
    if (verb === 'sign' && entry !== undefined) return sign(entry, values);
    if (verb === 'worksheet') return sheet(values);
    return told(USAGE, 2);
  } catch (error) {
    if (error instanceof Refused || error instanceof KnowledgeError) return told(`perennial: ${error.message}\n`, 1);
    if (error instanceof TypeError && 'code' in error) return told(`perennial: ${error.message}\n\n${USAGE}`, 2);
    throw error;
  }
}

interface Values {
  readonly kind?: string | undefined;
  readonly limit?: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
  readonly version?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly note?: string | undefined;
  readonly seed?: string | undefined;
  readonly out?: string | undefined;
  readonly against?: string | undefined;
  readonly cases?: string | undefined;
  readonly records?: string | undefined;
}

function told(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}

function chosen({ kind, all }: Values): readonly Listed[] {
  if (kind !== undefined && !SIGNED_KINDS.some((each) => each === kind))
    throw new Refused(`there is no kind "${kind}"; they are ${SIGNED_KINDS.join(', ')}`);
  const queue = reviewQueue(loadKnowledge());
  return (all ? queue : unsigned(queue)).filter((each) => kind === undefined || each.kind === kind);
}

function limitOf({ limit }: Values, byDefault: number): number {
  if (limit === undefined) return byDefault;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Refused('--limit is a number from 1');
  return Number(limit);
}

function list(values: Values): number {
  const all = chosen(values);
  const shown = all.slice(0, limitOf(values, LIMIT));
  if (values.json) return told(`${JSON.stringify(shown, null, 2)}\n`, 0);
  const lines = shown.map(
    ({ danger, signOffs, grade, version, entry, name }) =>
      `${danger}  ${signOffs.length}/${SIGN_OFFS_MAX}  ${(grade ?? '-').padEnd(9)}  ${version}  ${entry}  ${name}`,
  );
  return told(`danger, sign-offs, grade, version, entry\n${lines.join('\n')}\n${shown.length} of ${all.length}\n`, 0);
}

function listedOf(entry: string): Listed {
  const found = reviewQueue(loadKnowledge()).find((each) => each.entry === entry);
  if (!found) throw new Refused(`there is no entry "${entry}"`);
  return found;
}

function show(entry: string): number {
  const { kind, id, version, author, grade, signOffs } = listedOf(entry);
  const knowledge = loadKnowledge();
  const signed = knowledge.sign_offs
    .filter((each) => each.entry === entry)
    .map(({ name, role, on, version: read, note }) => {
      const state = signOffs.some((each) => each.name === name) && read === version ? 'holds' : 'of another version';
      return `  ${on}  ${name}, ${role}: ${state}${note === undefined ? '' : ` (${note})`}`;
    });
  const users = usersOf(knowledge, kind, id).map(({ entry: user, how }) => `  ${user}: ${how}`);
  const text = worksheet(knowledge, [listedOf(entry)]);
  return told(
    `${entry}\nversion ${version}, by ${author}, grade ${grade ?? 'none'}\n\n${text}\nsigned (${signed.length})\n${signed.join('\n')}\n\nused by (${users.length})\n${users.join('\n')}\n`,
    0,
  );
}

function sign(entry: string, { version, name, role, note }: Values): number {
  if (!version || !name?.trim() || !role?.trim()) throw new Refused('--version, --name and --role are needed');
  const listed = listedOf(entry);
  if (listed.version !== version)
    throw new Refused(`${entry} has version ${listed.version} now; read it again before it is signed`);
  const known = JSON.parse(readFileSync(SIGN_OFFS_FILE, 'utf8')) as SignOff[];
  if (known.some((each) => each.entry === entry && each.version === version && each.name === name))
    throw new Refused(`${name} has signed this version of ${entry}`);
  if (listed.signOffs.length >= SIGN_OFFS_MAX) throw new Refused(`${entry} is signed twice`);
  const made: SignOff = { entry, version, name, role, on: new Date().toISOString().slice(0, 10) };
  const all = [...known, note === undefined ? made : { ...made, note }];
  writeFileSync(SIGN_OFFS_FILE, `[\n${all.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`);
  return told(`${entry} ${version} signed by ${name}: ${listed.signOffs.length + 1} of ${SIGN_OFFS_MAX}\n`, 0);
}

function sheet(values: Values): number {
  if (values.out === undefined) throw new Refused('--out FILE is needed');
  const all = chosen(values);
  const limit = limitOf(values, LIMIT);
  const some = values.seed === undefined ? all.slice(0, limit) : drawn(all, values.seed, limit);
  writeFileSync(values.out, worksheet(loadKnowledge(), some));
  return told(`${some.length} entries in ${values.out}\n`, 0);
}

function changes({ against, cases, records, json }: Values): number {
  if (against === undefined || cases === undefined) throw new Refused('--against and --cases are needed');
  const { total, differing } = changesFrom({ against, cases, records });
  if (json) process.stdout.write(`${JSON.stringify({ total, differing }, null, 2)}\n`);
  else {
    for (const { id, what } of differing) process.stdout.write(`${id}: ${what.join('; ')}\n`);
    process.stdout.write(`${differing.length} of ${total} come out differently\n`);
  }
  return differing.length === 0 ? 0 : 1;
}

function neighbours(condition: string | undefined, values: Values): number {
  const all = neighbourhoods(loadKnowledge());
  const asked = all.filter(({ id }) => condition === undefined || id === condition);
  if (asked.length === 0) throw new Refused(`there is no condition "${condition}"`);
  asked.sort((a, b) => a.listed - b.listed || (a.id < b.id ? -1 : 1));
  const shown = asked.slice(0, limitOf(values, LIMIT));
  if (values.json) return told(`${JSON.stringify(shown, null, 2)}\n`, 0);
  return told(`${shown.map(wordsOf).join('\n\n')}\n\n${shown.length} of ${asked.length}\n`, 0);
}

function wordsOf({ id, name, listed, neighbours: near }: Neighbourhood): string {
  const lines = near.map(({ id: other, likeness, separators }) => {
    const apart = separators.map(({ finding, p: [here, there] }) => `${finding} ${here}/${there}`);
    return `  ${likeness.toFixed(3)}  ${other}: ${apart.length === 0 ? 'NOTHING TELLS THEM APART' : apart.join(', ')}`;
  });
  return [`${id} (${name}), ${listed} findings`, ...lines].join('\n');
}

/** A sample that anybody draws again from the same seed: the entries whose hashes with it are the least. */
function drawn(all: readonly Listed[], seed: string, limit: number): readonly Listed[] {
  return all
    .map((each) => ({ each, key: keyOf(`${seed}:${each.entry}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, limit)
    .map(({ each }) => each);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
