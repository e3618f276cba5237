import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { Fault, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, type AttachmentId, newId } from '@perennial/schemas/platform/ids.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import type { PayloadParts } from '../platform/idempotency/payload.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { found, refuse } from '../platform/refusals.ts';
import { toAttachment } from './attachment.ts';
import { type BlobStore, StorageFull } from './blob-store.ts';
import { agreedType, ContentInspector, ContentTooLarge, mediaTypes, type Seen } from './content.ts';
import { type AttachmentRow, AttachmentStore, type RecordPlace } from './store.ts';
import { receiveUpload, safeFileName } from './upload.ts';

/** Bounds of attachments. */
export interface AttachmentLimits {
  readonly bytesMax: number;
  readonly perRecordMax: number;
}

/** Body of update, as validated: `Attachment.patch`. */
export type AttachmentPatch = BodyAt<'Attachment.patch'>;

/** Longer than any upload can take: what is older than this is not under way. */
const UPLOAD_MS_MAX = 3_600_000;

/** Attachments, by the rules of the contract. */
export class AttachmentService {
  readonly #database: Database;
  readonly #store: AttachmentStore;
  readonly #blobs: BlobStore;
  readonly #limits: AttachmentLimits;

  constructor(database: Database, blobs: BlobStore, limits: AttachmentLimits) {
    this.#database = database;
    this.#store = new AttachmentStore(database);
    this.#blobs = blobs;
    this.#limits = limits;
  }

  /**
   * Takes the file that the request carries. Whatever fails, no bytes stay behind.
   * @param payload is told what came: the bytes by their hash, whatever the boundaries between the parts were.
   */
  async create(
    accountId: AccountId,
    place: RecordPlace,
    request: IncomingMessage,
    payload: PayloadParts,
  ): Promise<AttachmentRow> {
    await this.#needRecord(accountId, place);
    const id = newId('att');
    await this.#store.addIntent(id);
    try {
      const upload = await receiveUpload(request, (bytes) => this.#keep(id, bytes));
      const { file, result, description } = upload;
      const mediaType = checkContent(file.mediaType, result);
      payload.add({ file_name: file.name, media_type: mediaType, sha256: result.sha256, description });
      const now = new Date();
      const row: AttachmentRow = {
        id,
        accountId,
        ...place,
        fileName: file.name,
        mediaType,
        sizeBytes: result.size,
        sha256: result.sha256,
        description,
        revision: 1,
        createdAt: now,
        updatedAt: now,
      };
      await this.#insert(row, place);
      return row;
    } catch (error) {
      await this.#discard(id);
      throw toFault(error);
    }
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, place: RecordPlace, id: AttachmentId): Promise<AttachmentRow> {
    return found(await this.#store.find(accountId, place, id));
  }

  /** @throws Fault `not_found` when the record is not there. */
  async list(accountId: AccountId, place: RecordPlace, request: ListRequest): Promise<Found<AttachmentRow>> {
    await this.#needRecord(accountId, place);
    return this.#store.list(place.recordId, request);
  }

  /** The bytes, or those from `start` to `end`, both included. */
  async open(row: AttachmentRow, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    return this.#blobs.read(row.id, range);
  }

  async update(
    accountId: AccountId,
    place: RecordPlace,
    id: AttachmentId,
    patch: AttachmentPatch,
    conditions: Conditions,
  ): Promise<AttachmentRow> {
    refuse(patchFaults(patch, id));
    return writeOptimistically(this.#database, async (transaction) => {
      const store = new AttachmentStore(transaction);
      const stored = found(await store.find(accountId, place, id));
      conditions.checkWrite(stored.revision);
      const next: AttachmentRow = {
        ...stored,
        fileName: patch.file_name ?? stored.fileName,
        description: patch.description === undefined ? stored.description : patch.description,
        updatedAt: new Date(),
        revision: stored.revision + 1,
      };
      // A write that changes nothing is no new state.
      if (next.fileName === stored.fileName && next.description === stored.description) return stored;
      if (!(await store.write(stored, next))) return undefined;
      await announce(transaction, next, 'updated', next.updatedAt);
      return next;
    });
  }

  /** Deletes for good. Bytes that cannot be removed now are removed by the next sweep. */
  async remove(accountId: AccountId, place: RecordPlace, id: AttachmentId, conditions: Conditions): Promise<void> {
    await writeOptimistically(this.#database, async (transaction) => {
      const store = new AttachmentStore(transaction);
      const stored = found(await store.find(accountId, place, id));
      conditions.checkWrite(stored.revision);
      if (!(await store.remove(stored))) return undefined;
      await store.addIntent(id);
      await announce(transaction, stored, 'deleted', new Date());
      return stored;
    });
    await this.#discard(id);
  }

  /**
   * Removes bytes that no attachment has: of uploads whose process was killed, of deletions that did not finish, and
   * what the storage itself left half written. Bytes that the database has never heard of are not touched: they may
   * be those of another database.
   * @returns how many were removed.
   */
  async sweep(now: Date = new Date()): Promise<number> {
    const before = new Date(now.getTime() - UPLOAD_MS_MAX);
    let removed = await this.#blobs.sweep(before);
    for (const { key, isKept } of await this.#store.intents(before)) {
      if (!isKept) {
        await this.#blobs.remove(key);
        removed += 1;
      }
      await this.#store.removeIntent(key);
    }
    return removed;
  }

  async #keep(id: AttachmentId, bytes: AsyncIterable<Buffer>): Promise<Seen> {
    const inspector = new ContentInspector(this.#limits.bytesMax);
    await this.#blobs.write(id, inspector.pass(bytes));
    return inspector.seen();
  }

  async #insert(row: AttachmentRow, place: RecordPlace): Promise<void> {
    await this.#database.$transaction(async (transaction) => {
      const store = new AttachmentStore(transaction);
      // The record may have gone while the bytes came.
      if (!(await store.hasRecord(row.accountId, place, true))) throw new Fault('not_found');
      if ((await store.countOf(row.recordId)) >= this.#limits.perRecordMax) throw new Fault('limit_reached');
      await store.insert(row);
      await store.removeIntent(row.id);
      await announce(transaction, row, 'created', row.createdAt);
    });
  }

  /** On failure the bytes are removed by the next sweep: the intent is stored. */
  async #discard(id: AttachmentId): Promise<void> {
    try {
      if (await this.#database.attachment.findFirst({ where: { id }, select: { id: true } })) return;
      await this.#blobs.remove(id);
      await this.#store.removeIntent(id);
    } catch {
      // The first failure is the one that is told.
    }
  }

  async #needRecord(accountId: AccountId, place: RecordPlace): Promise<void> {
    if (!(await this.#store.hasRecord(accountId, place, false))) throw new Fault('not_found');
  }
}

/** Tells of a change in its own transaction. */
async function announce(
  transaction: DatabaseTransaction,
  row: AttachmentRow,
  action: 'created' | 'updated' | 'deleted',
  at: Date,
): Promise<void> {
  const { accountId, patientId, id: objectId } = row;
  const document = action === 'deleted' ? null : toAttachment(row);
  await recordEvent(transaction, { accountId, kind: `attachment.${action}`, objectId, patientId, document, at });
}

function checkContent(named: string, seen: Seen): string {
  if (seen.size === 0) throw invalidAt('/file', 'too_short');
  if (seen.mediaType === undefined) {
    throw new Fault('media_type_unsupported', {
      message: `The file is of a type that is not kept. Kept are ${mediaTypes.join(', ')}.`,
    });
  }
  const mediaType = agreedType(named, seen.mediaType);
  if (mediaType === 'mismatch') throw invalidAt('/file', 'content_mismatch');
  return mediaType;
}

function toFault(error: unknown): unknown {
  if (error instanceof ContentTooLarge) return new Fault('body_too_large');
  if (error instanceof StorageFull) return new Fault('storage_full', { cause: error });
  return error;
}

function patchFaults(patch: AttachmentPatch, id: AttachmentId): readonly ErrorDetail[] {
  const { file_name: name } = patch;
  return [
    ...(patch.id === undefined || patch.id === null || patch.id === id ? [] : [faultAt('/id', 'immutable')]),
    ...(name === undefined || safeFileName(name) === name ? [] : [faultAt('/file_name', 'wrong_format')]),
  ];
}
