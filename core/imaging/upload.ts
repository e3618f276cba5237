import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Fault, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import type { PatientId } from '@perennial/schemas/platform/ids.ts';
import { ContentTooLarge } from '../attachments/content.ts';
import { receiveUpload } from '../attachments/upload.ts';
import type { AnyContext } from '../platform/http/handler.ts';
import type { DeidentifyOptions } from './deidentify/deidentify.ts';

/** What comes with an image. */
export interface ImageUpload<T> {
  readonly patientId: PatientId | null;
  readonly description: string | null;
  /** How the identity is to be removed first; undefined when it is not to be. */
  readonly deidentify: DeidentifyOptions | undefined;
  /** What became of the bytes. */
  readonly result: T;
}

/** Types that a body which is the file itself may be called. What it is, its bytes say. */
const RAW = /^(application\/(dicom|octet-stream)|image\/(png|jpe?g))\s*(;|$)/i;

/**
 * Takes an image from the body: a part of multipart/form-data with fields before it, or the body itself. What no field
 * says, the query can.
 * @param keep takes the bytes; when it rejects, so does this.
 * @throws Fault `media_type_unsupported`, `body_malformed`, `validation_failed`, `request_malformed`
 */
export async function receiveImage<T>(
  { request, query }: Pick<AnyContext, 'request' | 'query'>,
  keep: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<ImageUpload<T>> {
  const text = (name: string): string | null =>
    typeof query[name] === 'string' && query[name] !== '' ? query[name] : null;
  if (RAW.test(request.headers['content-type'] ?? '') && request.headers['content-encoding'] === undefined) {
    return {
      patientId: text('patient_id') as PatientId | null,
      description: text('description'),
      deidentify: query['deidentify'] === true ? deidentifyOptions(query) : undefined,
      result: await keep(wholeBody(request)),
    };
  }
  const { fields, description, result } = await receiveUpload(request, keep, ['patient_id', 'deidentify']);
  const deidentify = fields['deidentify'] ?? String(query['deidentify'] ?? false);
  if (deidentify !== 'true' && deidentify !== 'false') throw invalidAt('/deidentify', 'not_allowed_value');
  return {
    patientId: (fields['patient_id'] || text('patient_id')) as PatientId | null,
    description: description ?? text('description'),
    deidentify: deidentify === 'true' ? deidentifyOptions(query) : undefined,
    result,
  };
}

/** What the query asks for of the profile; without anything, the profile itself. */
export function deidentifyOptions(query: AnyContext['query']): DeidentifyOptions {
  const dates = query['dates'];
  return {
    uids: query['retain_uids'] === true,
    dates: dates === 'shift' || dates === 'retain' ? dates : 'remove',
    patientCharacteristics: query['retain_characteristics'] === true,
    device: query['retain_device'] === true,
    institution: query['retain_institution'] === true,
    descriptions: query['clean_descriptions'] === true,
    cleanPixels: query['clean_pixels'] === true,
  };
}

async function* wholeBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request) yield chunk as Buffer;
  } catch (error) {
    throw new Fault('request_malformed', { message: 'The body broke off.', cause: error });
  }
  if (!request.complete) throw new Fault('request_malformed', { message: 'The body broke off.' });
}

/** Counts and hashes bytes while they pass. */
export class ByteCounter {
  readonly #bytesMax: number;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The same bytes. @throws ContentTooLarge at the first byte too many. */
  async *pass(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.#size += chunk.length;
      if (this.#size > this.#bytesMax) throw new ContentTooLarge('too many bytes');
      this.#hash.update(chunk);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  }

  /** What has passed. To be asked once, after the last byte. */
  counted(): { readonly size: number; readonly sha256: string } {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}
