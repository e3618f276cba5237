import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { settle } from './client.ts';
import type { Random } from './random.ts';
import type { RoundResult } from './scenario.ts';

/** What is written to, and where it is looked up. */
export interface LoadTarget {
  readonly url: string;
  readonly account: { readonly apiKey: string };
  readonly database: Database;
  readonly dataDir: string;
}

/** A patient that a worker made, and what it has been told of it since. */
interface Acknowledged {
  readonly id: string;
  /** Nobody else has it. */
  readonly name: string;
  /** Of the last update that was acknowledged. */
  phone: string | null;
  /** Writes that changed the patient, the first included. */
  revision: number;
  readonly records: { readonly id: string; readonly text: string }[];
  readonly files: { readonly id: string; readonly name: string; readonly sha256: string }[];
}

/**
 * Clients that write as fast as they are answered, each one thing after another, and remember what was acknowledged. In
 * the end the database must hold exactly that.
 */
export class WriteLoad {
  readonly #system: LoadTarget;
  readonly #mark = randomUUID().slice(0, 8);
  readonly #patients: Acknowledged[] = [];
  readonly #unexpected: string[] = [];
  readonly #keys: string[] = [];
  #isEnding = false;
  #writes = 0;
  #repeated = 0;
  #replayed = 0;
  #workers: readonly Promise<void>[] = [];

  constructor(system: LoadTarget) {
    this.#system = system;
  }

  /** How many writes have been acknowledged. */
  get acknowledged(): number {
    return this.#writes;
  }

  start(workers: number, random: Random): void {
    this.#workers = Array.from({ length: workers }, (_, index) => this.#work(index, random));
  }

  /** Resolves when so many more writes have been acknowledged: then there is work to strike at, however slow the machine. */
  async advance(count: number): Promise<void> {
    const goal = this.#writes + count;
    while (this.#writes < goal) await sleep(5);
  }

  /** Begins nothing more, and waits until what was begun is acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#workers);
  }

  async #work(worker: number, random: Random): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn += 1) {
      const patient = await this.#createPatient(`${worker}-${turn}`, random);
      if (!patient) continue;
      const steps = [() => this.#addRecord(patient), () => this.#addFile(patient), () => this.#update(patient)];
      for (let step = random.integer(0, 4); step > 0 && !this.#isEnding; step -= 1) await random.pick(steps)();
    }
  }

  async #createPatient(suffix: string, random: Random): Promise<Acknowledged | undefined> {
    const name = `Fault ${this.#mark} ${suffix}`;
    const body = { name, dob: '1984-03-07' };
    const version = random.pick(['v2023-10-15', 'v2023-04-30', 'v2022-11-15']);
    const made = await this.#write('POST', `/${version}/patients`, body);
    if (made === undefined) return undefined;
    const patient: Acknowledged = { id: String(made['id']), name, phone: null, revision: 1, records: [], files: [] };
    this.#patients.push(patient);
    return patient;
  }

  async #addRecord(patient: Acknowledged): Promise<void> {
    const text = `${this.#mark} ${randomUUID()}`;
    const body = { type: 'note', status: 'final', title: 'Visit', text };
    const made = await this.#write('POST', `/v2/patients/${patient.id}/records`, body);
    if (made !== undefined) patient.records.push({ id: String(made['id']), text });
  }

  async #addFile(patient: Acknowledged): Promise<void> {
    const record = patient.records.at(-1);
    if (!record) return this.#addRecord(patient);
    const name = `${this.#mark}-${randomUUID()}.txt`;
    const content = Buffer.from(randomBytes(2_000).toString('hex'));
    const made = await this.#write('POST', `/v2/patients/${patient.id}/records/${record.id}/attachments`, () => {
      // As clients make them: with a boundary of its own for each try.
      const boundary = randomBytes(12).toString('hex');
      const part = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      return {
        body: Buffer.concat([Buffer.from(part), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
        type: `multipart/form-data; boundary=${boundary}`,
      };
    });
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (made !== undefined) patient.files.push({ id: String(made['id']), name, sha256 });
  }

  /** A merge patch says the same however often it is sent: it needs no key. */
  async #update(patient: Acknowledged): Promise<void> {
    const phone = `+1 ${randomBytes(5).readUIntBE(0, 5)}`;
    const made = await this.#write('PATCH', `/v2023-10-15/patients/${patient.id}`, { contact_info: { phone } });
    if (made === undefined) return;
    patient.phone = phone;
    patient.revision += 1;
  }

  /** @returns `data` of the success; undefined, and a violation, when the write was refused. */
  async #write(
    method: string,
    path: string,
    content: JsonObject | (() => { readonly body: Buffer; readonly type: string }),
  ): Promise<JsonObject | undefined> {
    const key = `${this.#mark}-${randomUUID()}`;
    const keyed: Record<string, string> = method === 'POST' ? { 'idempotency-key': key } : {};
    const made = typeof content === 'function' ? content() : undefined;
    const sent = made
      ? { body: made.body, headers: { ...keyed, 'content-type': made.type } }
      : { body: content, headers: keyed };
    const { answer, tries, replayed } = await settle(this.#system, method, path, sent);
    if (answer.status >= 300) {
      this.#unexpected.push(`${method} was answered ${answer.status} ${answer.error?.code ?? ''}`);
      return undefined;
    }
    this.#writes += 1;
    if (tries > 1) this.#repeated += 1;
    if (replayed) this.#replayed += 1;
    if (method === 'POST') this.#keys.push(key);
    return answer.data;
  }

  /** Holds what was acknowledged against the database and the storage. Nothing may be under way. */
  async check(): Promise<RoundResult> {
    const { database } = this.#system;
    const violations = [...this.#unexpected];
    let missing = 0;
    let doubled = 0;
    /** Everything of one kind: what was acknowledged must be there, once, and nothing else. */
    const compare = (kind: string, expected: readonly string[], stored: readonly string[]): void => {
      const found = new Map<string, number>();
      for (const each of stored) found.set(each, (found.get(each) ?? 0) + 1);
      const lost = expected.filter((each) => !found.has(each)).length;
      const twice = [...found.values()].filter((count) => count > 1).length;
      const unknown = [...found.keys()].length - (expected.length - lost);
      missing += lost;
      doubled += twice;
      if (lost > 0) violations.push(`${lost} acknowledged ${kind} are missing`);
      if (twice > 0) violations.push(`${twice} ${kind} are doubled`);
      if (unknown > 0) violations.push(`${unknown} ${kind} are there that nobody was told of`);
    };

    const like = `%${this.#mark}%`;
    const patients = await database.$queryRaw<
      { id: string; name: string; phone: string | null; revision: number; history: number; made: number }[]
    >`
      SELECT id, name, phone, revision,
        (SELECT count(*)::int FROM core.patient_changes c WHERE c.patient_id = p.id) AS history,
        (SELECT count(*)::int FROM core.events e WHERE e.object_id = p.id AND e.kind = 'patient.created') AS made
      FROM core.patients p WHERE name LIKE ${like}`;
    compare('patients', this.#patients.map(nameOf), patients.map(nameOf));
    const byId = new Map(patients.map((row) => [row.id, row]));
    for (const patient of this.#patients) {
      const row = byId.get(patient.id);
      if (!row) continue;
      if (row.phone !== patient.phone) violations.push('an acknowledged update is missing');
      if (row.revision !== patient.revision || row.history !== patient.revision)
        violations.push(`a patient has revision ${row.revision} and ${row.history} changes, not ${patient.revision}`);
      if (row.made !== 1) violations.push(`a patient was created in ${row.made} events`);
    }

    const records = await database.$queryRaw<{ text: string }[]>`
      SELECT content->>'text' AS text FROM core.medical_records WHERE content->>'text' LIKE ${like}`;
    compare('records', this.#patients.flatMap((each) => each.records).map(textOf), records.map(textOf));

    const files = await database.$queryRaw<{ id: string; name: string; sha256: string }[]>`
      SELECT id, file_name AS name, sha256 FROM core.attachments WHERE file_name LIKE ${like}`;
    const expected = this.#patients.flatMap((each) => each.files);
    compare('attachments', expected.map(nameOf), files.map(nameOf));
    const kept = new Map(files.map((row) => [row.id, row]));
    for (const { id, sha256 } of expected)
      if (kept.get(id)?.sha256 !== sha256 || (await this.#storedHash(id)) !== sha256)
        violations.push('the bytes of an acknowledged attachment are not those that were sent');

    const keys = await database.idempotencyRecord.findMany({
      where: { key: { startsWith: `${this.#mark}-` } },
      select: { key: true },
    });
    compare(
      'keys',
      this.#keys,
      keys.map(({ key }) => key),
    );
    const gaps = await database.$queryRaw<unknown[]>`
      SELECT object_id FROM core.events GROUP BY object_id HAVING max(sequence) <> count(*) OR min(sequence) <> 1`;
    if (gaps.length > 0) violations.push(`${gaps.length} objects have gaps in the numbers of their events`);
    return {
      counts: {
        acknowledged: this.#writes,
        'sent again': this.#repeated,
        'answered from what was kept': this.#replayed,
        missing,
        doubled,
      },
      violations,
    };
  }

  async #storedHash(id: string): Promise<string | undefined> {
    const path = join(this.#system.dataDir, 'attachments', id.slice(-2).toLowerCase(), id);
    const bytes = await readFile(path).catch(() => undefined);
    return bytes && createHash('sha256').update(bytes).digest('hex');
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const textOf = ({ text }: { readonly text: string }): string => text;
