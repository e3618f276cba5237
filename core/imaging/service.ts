import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import {
  type AccountId,
  type DiagnosticId,
  type InstanceId,
  newId,
  type PatientId,
  type StudyId,
} from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { ImagingAnalyzer } from '@perennial/schemas/resources/imaging-analysis.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { BlobStore } from '../attachments/blob-store.ts';
import type { DiagnosticRow, ImagingRow } from '../diagnostics/record.ts';
import { DiagnosticStore } from '../diagnostics/store.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import type { AnyContext } from '../platform/http/handler.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { found } from '../platform/refusals.ts';
import { outsideUnit } from '../platform/unit-of-work.ts';
import { everything } from '../visibility.ts';
import type { DeidentifyOptions } from './deidentify/deidentify.ts';
import { toImagingFault } from './faults.ts';
import { ImageFault } from './image-fault.ts';
import type { Inspection } from './inspect.ts';
import { ImagingMatching, type Match, type MatchedSeries, type MatchedStudy } from './matching.ts';
import { instanceOf, studyOf } from './rows.ts';
import { ImagingStore, type InstanceRow, type StudyFilter, type StudyRow } from './store.ts';
import { ByteCounter, receiveImage } from './upload.ts';
import type { ImagePool } from './worker/pool.ts';
import type { TaskName, Tasks } from './worker/tasks.ts';

/** Bounds of images. */
export interface ImagingLimits {
  readonly bytesMax: number;
  readonly instancesPerStudyMax: number;
  readonly studiesPerAccountMax: number;
}

/** Body of update, as validated: `ImagingStudy.patch`. */
export type StudyPatch = BodyAt<'ImagingStudy.patch'>;

/** A file and the study that it belongs to. */
export interface Located {
  readonly study: StudyRow;
  readonly instance: InstanceRow;
}

/** What QIDO-RS found below a study, and the study. */
export interface Matched<T> {
  readonly study: MatchedStudy;
  readonly match: T;
}

/** A file that was stored, and where. */
export interface Stored extends Located {
  /** False when the very same file was there already. */
  readonly isNew: boolean;
}

/** Bytes in the blob store that nothing has yet. */
interface Kept {
  readonly id: InstanceId;
  readonly size: number;
  readonly sha256: string;
}

/** A file that came, was looked at, and belongs to no study yet. */
export interface Received extends Kept {
  readonly inspection: Inspection;
}

/** What the caller says of a file. */
interface Wishes {
  readonly patientId: PatientId | null;
  readonly description: string | null;
  readonly deidentify: DeidentifyOptions | undefined;
  /** The study that the file must belong to. */
  readonly studyUid?: string | undefined;
  /** The study that it is a copy of a file of. */
  readonly copiedFrom?: StudyRow;
  readonly needsUids?: boolean;
}

/** Imaging studies, by the rules of the contract. */
export class ImagingService {
  readonly #database: Database;
  readonly #store: ImagingStore;
  readonly #matching: ImagingMatching;
  readonly #blobs: BlobStore;
  readonly #pool: ImagePool;
  readonly #limits: ImagingLimits;

  constructor(database: Database, blobs: BlobStore, pool: ImagePool, limits: ImagingLimits) {
    this.#database = database;
    this.#store = new ImagingStore(database);
    this.#matching = new ImagingMatching(database);
    this.#blobs = blobs;
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Takes the file that the request carries. Whatever fails, no bytes stay behind. */
  async create(context: AnyContext): Promise<Stored> {
    const { caller, payload } = context;
    const id = newId('imi');
    try {
      const upload = await receiveImage(context, (bytes) => this.#keep(id, bytes));
      const { patientId, description, deidentify, result } = upload;
      // The options stand in the query, which is a part of what the key stands for already.
      payload.add({ sha256: result.sha256, patientId, description, deidentify: deidentify !== undefined });
      return await this.#ingest(caller, result, { patientId, description, deidentify });
    } catch (error) {
      await this.#discard(id);
      throw toImagingFault(error);
    }
  }

  /** Takes the bytes of one file of several, and looks at them. Nothing has them yet: see `discard`. */
  async receive(bytes: AsyncIterable<Uint8Array>): Promise<Received> {
    const id = newId('imi');
    try {
      const kept = await this.#keep(id, bytes);
      return { ...kept, inspection: await this.#inspect(kept) };
    } catch (error) {
      await this.#discard(id);
      throw toImagingFault(error);
    }
  }

  /**
   * Files a DICOM file that was received. Whatever fails, no bytes stay behind.
   * @param studyUid of the study that it must belong to, where one was named.
   */
  async storeReceived(caller: Caller, received: Received, studyUid: string | undefined): Promise<Stored> {
    const { inspection, ...kept } = received;
    try {
      const wishes = { patientId: null, description: null, deidentify: undefined, studyUid, needsUids: true };
      return await this.#file(caller, kept, inspection, wishes);
    } catch (error) {
      await this.#discard(kept.id);
      throw toImagingFault(error);
    }
  }

  /** Gives up files that were received and not stored. */
  async discard(received: readonly Received[]): Promise<void> {
    for (const { id } of received) await this.#discard(id);
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, id: StudyId): Promise<StudyRow> {
    return found(await this.#store.findStudy(accountId, id));
  }

  /** @throws Fault `not_found` */
  async getByUid(accountId: AccountId, studyUid: string): Promise<StudyRow> {
    return found(await this.#store.findStudyByUid(accountId, studyUid));
  }

  async list(accountId: AccountId, filter: StudyFilter, request: ListRequest): Promise<Found<StudyRow>> {
    return this.#store.listStudies(accountId, filter, request);
  }

  async match(accountId: AccountId, match: Match): Promise<readonly MatchedStudy[]> {
    return this.#matching.studies(accountId, match);
  }

  /** Series that match, each with its study. */
  async matchSeries(accountId: AccountId, match: Match): Promise<readonly Matched<MatchedSeries>[]> {
    return this.#withStudies(accountId, await this.#matching.series(accountId, match));
  }

  /** Instances that match, each with its study. */
  async matchInstances(accountId: AccountId, match: Match): Promise<readonly Matched<InstanceRow>[]> {
    return this.#withStudies(accountId, await this.#matching.instances(accountId, match));
  }

  async update(caller: Caller, id: StudyId, patch: StudyPatch, conditions: Conditions): Promise<StudyRow> {
    if (patch.id !== undefined && patch.id !== null && patch.id !== id) throw invalid([faultAt('/id', 'immutable')]);
    const { accountId } = caller;
    return writeOptimistically(this.#database, async (transaction) => {
      const store = new ImagingStore(transaction);
      const stored = found(await store.findStudy(accountId, id));
      conditions.checkWrite(stored.revision);
      const patientId = patch.patient_id === undefined ? stored.patientId : patch.patient_id || null;
      const description = patch.description === undefined ? stored.description : patch.description || null;
      // A write that changes nothing is no new state.
      if (patientId === stored.patientId && description === stored.description) return stored;
      if (patientId !== null && patientId !== stored.patientId) await this.#needPatient(store, caller, patientId);
      const next = { ...stored, patientId, description, updatedAt: new Date(), revision: stored.revision + 1 };
      return (await store.writeStudy(stored, next)) ? next : undefined;
    });
  }

  /** Deletes for good. A trigger says that the bytes must go; those that cannot be removed now go with the next sweep. */
  async remove(accountId: AccountId, id: StudyId, conditions: Conditions): Promise<StudyRow> {
    const { study, files } = await writeOptimistically(this.#database, async (transaction) => {
      const store = new ImagingStore(transaction);
      const stored = found(await store.findStudy(accountId, id));
      conditions.checkWrite(stored.revision);
      await store.lockStudy(id);
      const files = await store.instancesOf(id);
      return (await store.removeStudy(stored)) ? { study: stored, files } : undefined;
    });
    for (const file of files) await this.#discard(file.id);
    return study;
  }

  /**
   * Makes a copy of the study without what tells who it is of. There is one copy of a study: asked again, the files
   * that came since are added to it.
   */
  async deidentify(
    caller: Caller,
    id: StudyId,
    options: DeidentifyOptions,
  ): Promise<{ readonly study: StudyRow; readonly isNew: boolean }> {
    const study = await this.get(caller.accountId, id);
    if (study.source !== 'dicom') {
      throw new Fault('media_type_unsupported', { message: 'Studies of DICOM files can be de-identified.' });
    }
    const wishes = { patientId: null, description: null, deidentify: options, copiedFrom: study };
    let copy: StudyRow | undefined;
    let isNew = false;
    for (const { id: file, sizeBytes, sha256 } of await this.#store.instancesOf(id)) {
      try {
        const stored = await this.#ingest(caller, { id: file, size: sizeBytes, sha256 }, wishes);
        copy = stored.study;
        isNew ||= stored.isNew;
      } catch (error) {
        throw toImagingFault(error);
      }
    }
    return { study: found(copy), isNew };
  }

  /** @throws Fault `not_found` when the study is not there. */
  async listInstances(accountId: AccountId, studyId: StudyId, request: ListRequest): Promise<Found<InstanceRow>> {
    await this.get(accountId, studyId);
    return this.#store.listInstances(studyId, request);
  }

  /** A file of a study: the one named, or the one that the study is looked at by. @throws Fault `not_found` */
  async locate(accountId: AccountId, studyId: StudyId, id: InstanceId | undefined): Promise<Located> {
    const study = await this.get(accountId, studyId);
    const instance = id === undefined ? this.#store.firstInstance(studyId) : this.#store.findInstance(studyId, id);
    return { study, instance: found(await instance) };
  }

  /** @throws Fault `not_found` unless study, series and instance belong together. */
  async locateByUids(accountId: AccountId, studyUid: string, seriesUid: string, instanceUid: string): Promise<Located> {
    const study = await this.getByUid(accountId, studyUid);
    const instance = found(await this.#store.findInstanceByUid(study.id, instanceUid));
    if (instance.seriesUid !== seriesUid) throw new Fault('not_found');
    return { study, instance };
  }

  /** Every file of a study. */
  async instancesOf(studyId: StudyId): Promise<readonly InstanceRow[]> {
    return this.#store.instancesOf(studyId);
  }

  /** The bytes, or those from `start` to `end`, both included. */
  async open(instance: InstanceRow, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    return this.#blobs.read(instance.id, range);
  }

  /** Performs a task with the bytes of a file. @throws Fault when the file is to blame. */
  async perform<N extends TaskName>(
    instance: Pick<InstanceRow, 'id' | 'sizeBytes'>,
    name: N,
    input: Tasks[N]['input'],
  ): Promise<Tasks[N]['output']> {
    try {
      return await this.#perform(instance.id, instance.sizeBytes, name, input);
    } catch (error) {
      throw toImagingFault(error);
    }
  }

  /** @throws Fault `not_found` */
  async result(accountId: AccountId, studyId: StudyId, id: DiagnosticId): Promise<ImagingRow> {
    await this.get(accountId, studyId);
    const row = found(await new DiagnosticStore(this.#database).find(accountId, id, everything));
    if (row.kind !== 'imaging' || row.imaging.study_id !== studyId || row.deletedAt !== null)
      throw new Fault('not_found');
    return row;
  }

  /** @throws Fault `not_found` when the study is not there. */
  async listResults(accountId: AccountId, studyId: StudyId, request: ListRequest): Promise<Found<DiagnosticRow>> {
    await this.get(accountId, studyId);
    return new DiagnosticStore(this.#database).list(accountId, { studyId }, everything, request);
  }

  /**
   * Loads the trained models in a worker, as an analysis would.
   * @returns which they are. @throws Error saying which file is wrong with what.
   */
  async checkModels(): Promise<readonly ImagingAnalyzer[]> {
    return this.#pool.run('models', async () => new Uint8Array(0), {});
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #withStudies<T extends { readonly studyId: StudyId }>(
    accountId: AccountId,
    matches: readonly T[],
  ): Promise<readonly Matched<T>[]> {
    const ids = [...new Set(matches.map(({ studyId }) => studyId))];
    const studies = new Map((await this.#matching.studiesOf(accountId, ids)).map((study) => [study.id, study]));
    return matches.flatMap((match) => {
      const study = studies.get(match.studyId);
      // One that went between the two questions is not answered.
      return study ? [{ study, match }] : [];
    });
  }

  async #keep(id: InstanceId, bytes: AsyncIterable<Uint8Array>): Promise<Kept> {
    await this.#store.addIntent(id);
    const counter = new ByteCounter(this.#limits.bytesMax);
    await this.#blobs.write(id, counter.pass(bytes));
    const { size, sha256 } = counter.counted();
    if (size === 0) throw invalidAt('/file', 'too_short');
    return { id, size, sha256 };
  }

  /** Looks at bytes that are kept and files them. The caller discards them when this rejects. */
  async #ingest(caller: Caller, kept: Kept, wishes: Wishes): Promise<Stored> {
    if (!wishes.deidentify) return this.#file(caller, kept, await this.#inspect(kept), wishes);
    const key = await this.#store.uidKey(caller.accountId, randomBytes(32));
    const clean = await this.#perform(kept.id, kept.size, 'deidentify', { key, options: wishes.deidentify });
    const id = newId('imi');
    try {
      const copy = await this.#keep(id, once(clean));
      const stored = await this.#file(caller, copy, await this.#inspect(copy), wishes);
      // What came is not kept, unless it is a file of the study that is copied.
      if (!wishes.copiedFrom) await this.#discard(kept.id);
      return stored;
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  async #inspect(kept: Kept): Promise<Inspection> {
    return this.#perform(kept.id, kept.size, 'inspect', {});
  }

  /** Puts the file into the study that it belongs to, or makes one. */
  async #file(caller: Caller, kept: Kept, inspection: Inspection, wishes: Wishes): Promise<Stored> {
    const { accountId } = caller;
    const uids = inspection.dicom?.uids ?? undefined;
    if (wishes.needsUids && !uids) {
      throw new ImageFault('unreadable', 'The DICOM file does not say which study, series and instance it is.');
    }
    if (wishes.studyUid !== undefined && uids?.study !== wishes.studyUid) {
      throw new ImageFault('unreadable', 'The DICOM file belongs to another study than the one named.');
    }
    const stored = await this.#database.$transaction(async (transaction) => {
      const store = new ImagingStore(transaction);
      await store.lockAccount(accountId);
      if (wishes.patientId !== null) await this.#needPatient(store, caller, wishes.patientId);
      const known = await this.#findStudy(transaction, accountId, uids?.study, wishes.copiedFrom);
      const same =
        known && (uids ? await store.findInstanceByUid(known.id, uids.instance) : await store.firstInstance(known.id));
      if (known && same) {
        if (same.sha256 !== kept.sha256) throw new Fault('instance_exists');
        const study = await this.#bind(store, known, wishes.patientId);
        return { study, instance: same, isNew: false };
      }
      const study = known
        ? await this.#extend(store, known, wishes.patientId)
        : await this.#begin(store, accountId, inspection, wishes);
      const instance = instanceOf(study, kept, inspection, new Date());
      await store.insertInstance(instance);
      await store.removeIntent(kept.id);
      return { study: found(await store.findStudy(accountId, study.id)), instance, isNew: true };
    });
    // The bytes are there once already.
    if (!stored.isNew) await this.#discard(kept.id);
    return stored;
  }

  /**
   * The study that a file belongs to: of its UID, or the copy that was made of the same study before. One of a deleted
   * patient is hidden, and its UID is taken nevertheless.
   */
  async #findStudy(
    transaction: DatabaseTransaction,
    accountId: AccountId,
    studyUid: string | undefined,
    copiedFrom: StudyRow | undefined,
  ): Promise<StudyRow | undefined> {
    const store = new ImagingStore(transaction);
    if (studyUid === undefined) return copiedFrom && store.findCopyOf(accountId, copiedFrom.id);
    const known = await store.findStudyByUid(accountId, studyUid);
    if (known) return known;
    const hidden = await transaction.imagingStudy.findFirst({ where: { accountId, studyUid }, select: { id: true } });
    if (hidden) throw new Fault('instance_exists');
    return undefined;
  }

  async #begin(store: ImagingStore, accountId: AccountId, inspection: Inspection, wishes: Wishes): Promise<StudyRow> {
    const most = this.#limits.studiesPerAccountMax;
    if ((await store.countStudies(accountId, most)) >= most) throw new Fault('limit_reached');
    const study = studyOf(
      { id: newId('img'), accountId, ...wishes, copiedFrom: wishes.copiedFrom?.id ?? null },
      inspection,
      new Date(),
    );
    await store.insertStudy(study);
    return { ...study, instanceCount: 0, sizeBytes: 0 };
  }

  async #extend(store: ImagingStore, study: StudyRow, patientId: PatientId | null): Promise<StudyRow> {
    await store.lockStudy(study.id);
    if (study.instanceCount >= this.#limits.instancesPerStudyMax) throw new Fault('limit_reached');
    const bound = await this.#bind(store, study, patientId);
    if (bound === study) await store.touchStudy(study.id, new Date());
    return bound;
  }

  /** The study of the patient named: bound by nobody so far, or by the same. */
  async #bind(store: ImagingStore, study: StudyRow, patientId: PatientId | null): Promise<StudyRow> {
    if (patientId === null || patientId === study.patientId) return study;
    if (study.patientId !== null) throw invalidAt('/patient_id', 'immutable');
    const next = { ...study, patientId, updatedAt: new Date(), revision: study.revision + 1 };
    if (!(await store.writeStudy(study, next))) throw new Fault('conflict');
    return next;
  }

  /** Binding a study tells that there is the patient: keys that may not read patients may not. */
  async #needPatient(store: ImagingStore, { accountId, scopes }: Caller, patientId: PatientId): Promise<void> {
    if (!scopes.includes('patients:read') && !scopes.includes('admin')) throw new Fault('scope_missing');
    if (!(await store.hasPatient(accountId, patientId))) throw new Fault('not_found');
  }

  async #perform<N extends TaskName>(
    id: InstanceId,
    size: number,
    name: N,
    input: Tasks[N]['input'],
  ): Promise<Tasks[N]['output']> {
    return this.#pool.run(name, () => this.#bytesOf(id, size), input);
  }

  /** All bytes in memory of their own, which can be handed to a worker without a copy. */
  async #bytesOf(id: InstanceId, size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    let at = 0;
    for await (const chunk of await this.#blobs.read(id)) {
      const part = chunk as Buffer;
      if (at + part.length > size) throw new Error('there are more bytes than were stored');
      bytes.set(part, at);
      at += part.length;
    }
    if (at !== size) throw new Error('there are fewer bytes than were stored');
    return bytes;
  }

  /** On failure the bytes are removed by the next sweep: the intent is stored. */
  async #discard(id: InstanceId): Promise<void> {
    try {
      await outsideUnit(async () => {
        if (await this.#store.hasInstance(id)) return;
        await this.#blobs.remove(id);
        await this.#store.removeIntent(id);
      });
    } catch {
      // The first failure is the one to report.
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
