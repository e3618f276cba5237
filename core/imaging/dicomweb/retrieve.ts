import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { AnyContext, BytesOutcome } from '../../platform/http/handler.ts';
import { EXPLICIT_LITTLE_ENDIAN, transferSyntaxes } from '../dicom/transfer-syntaxes.ts';
import { imageLimits } from '../image-fault.ts';
import { needPixels, subjectsOf } from '../look.ts';
import type { ImagingService } from '../service.ts';
import type { InstanceRow, StudyRow } from '../store.ts';
import { type AcceptedRange, holds, readAccept } from './accept.ts';
import { DICOM, inMemory, JSON_MODEL, jsonArray, needAccepted, OCTETS, parts } from './answers.ts';
import { locate, locateAll, placeOf, placesBefore } from './locate.ts';

const FRAMES_PER_ANSWER_MAX = 50;
/** Pixel Data, which is answered frame by frame. */
const PIXEL_DATA = '7FE00010';

/** Media types of compressed frames (PS3.18, table 8.7.3-5). */
const frameTypes = {
  none: OCTETS,
  rle: 'image/dicom-rle',
  jpeg: 'image/jpeg',
  jpeg_ls: 'image/jls',
  jpeg_2000: 'image/jp2',
  htj2k: 'image/jphc',
} as const;

/** WADO-RS of the data sets without pixels, of all files that the path names. @param depth see `placesBefore`. */
export async function metadata(imaging: ImagingService, context: AnyContext, depth: number): Promise<BytesOutcome> {
  needAccepted(context, JSON_MODEL, 'application/json');
  const before = placesBefore(context, depth);
  if (context.params['instance_uid'] !== undefined) {
    const { study, instance } = await locate(imaging, context);
    return jsonArray(metadataOf(imaging, study, [instance], before), subjectsOf(study));
  }
  const { study, instances } = await locateAll(imaging, context);
  return jsonArray(metadataOf(imaging, study, instances, before), subjectsOf(study));
}

async function* metadataOf(
  imaging: ImagingService,
  study: StudyRow,
  instances: readonly InstanceRow[],
  before: string,
): AsyncGenerator<string> {
  for (const [at, instance] of instances.entries()) {
    const place = before + placeOf(study, instance);
    const valueUri = `${place}/bulkdata/`;
    const numbers = Array.from({ length: instance.frames }, (_, frame) => frame + 1);
    const isFew = numbers.length <= FRAMES_PER_ANSWER_MAX;
    const pixelDataUri = isFew ? `${place}/frames/${numbers.join(',')}` : valueUri + PIXEL_DATA;
    const dataSet = await imaging.perform(instance, 'metadata', { pixelDataUri, valueUri });
    yield `${at === 0 ? '[' : ','}${JSON.stringify(dataSet)}`;
  }
  yield ']';
}

/** WADO-RS of one file. @param accept as the header of that name. */
export async function retrieve(
  imaging: ImagingService,
  context: AnyContext,
  accept = context.request.headers.accept,
): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
  const stored = instance.transferSyntaxUid ?? EXPLICIT_LITTLE_ENDIAN;
  const fits = ({ transferSyntax }: AcceptedRange): boolean =>
    transferSyntax === undefined || transferSyntax === '*' || transferSyntax === stored;
  const range = readAccept(accept).find(
    (each) =>
      fits(each) &&
      (holds(each, DICOM) ||
        (holds(each, 'multipart/related') && (each.partType === undefined || each.partType === DICOM))),
  );
  if (!range) throw new Fault('not_acceptable');
  const subjects = subjectsOf(study);
  const contentType = `${DICOM};transfer-syntax=${stored}`;
  const open = (): ReturnType<ImagingService['open']> => imaging.open(instance);
  if (range.type === DICOM) {
    const headers = { 'content-type': contentType, 'content-length': String(instance.sizeBytes) };
    return { subjects, bytes: { status: 200, headers, open } };
  }
  return parts([{ contentType, size: instance.sizeBytes, open }], DICOM, subjects);
}

/** Every file of a study or a series, read while it is sent: one part is open at a time. */
export async function retrieveAll(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instances } = await locateAll(imaging, context);
  const syntaxOf = ({ transferSyntaxUid }: InstanceRow): string => transferSyntaxUid ?? EXPLICIT_LITTLE_ENDIAN;
  const isAccepted = readAccept(context.request.headers.accept).some(
    (range) =>
      holds(range, 'multipart/related') &&
      (range.partType === undefined || range.partType === DICOM) &&
      (range.transferSyntax === undefined ||
        range.transferSyntax === '*' ||
        instances.every((each) => syntaxOf(each) === range.transferSyntax)),
  );
  if (!isAccepted) throw new Fault('not_acceptable');
  const answered = instances.map((each) => ({
    contentType: `${DICOM};transfer-syntax=${syntaxOf(each)}`,
    size: each.sizeBytes,
    open: () => imaging.open(each),
  }));
  return parts(answered, DICOM, subjectsOf(study));
}

/** WADO-RS of frames, as they are stored or decoded. */
export async function frames(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
  needPixels(instance);
  const wanted = readFrames(context.params['frames'] as string, instance);
  const syntax = transferSyntaxes.get(instance.transferSyntaxUid ?? '');
  const codec = syntax?.codec ?? 'none';
  const storedType = frameTypes[codec];
  const range = readAccept(context.request.headers.accept).find(
    (each) =>
      holds(each, OCTETS) ||
      (holds(each, 'multipart/related') &&
        (each.partType === undefined || each.partType === OCTETS || each.partType === storedType)),
  );
  if (!range) throw new Fault('not_acceptable');
  const isStored = codec !== 'none' && (range.partType === storedType || range.transferSyntax === '*');
  const bytesPerFrame = instance.width * instance.height * 4;
  if (wanted.length * bytesPerFrame > imageLimits.answerBytesMax) {
    throw new Fault('image_too_large', { message: 'These frames are more than one answer may hold; ask for fewer.' });
  }
  const output = await imaging.perform(instance, 'frames', { frames: wanted.map((frame) => frame - 1), isStored });
  const type = isStored ? storedType : OCTETS;
  const named = `${type};transfer-syntax=${isStored ? syntax?.uid : EXPLICIT_LITTLE_ENDIAN}`;
  const answered = output.frames.map((bytes) => ({
    contentType: named,
    size: bytes.length,
    open: inMemory(bytes),
  }));
  return parts(answered, type, subjectsOf(study));
}

/** @throws Fault `not_found`, `image_too_large` */
function readFrames(text: string, { frames: count }: InstanceRow): readonly number[] {
  const numbers = text.split(',').map((each) => (/^\d{1,6}$/.test(each) ? Number(each) : 0));
  // What no frame is called is not there.
  if (numbers.some((frame) => frame < 1 || frame > count)) throw new Fault('not_found');
  if (numbers.length > FRAMES_PER_ANSWER_MAX) {
    throw new Fault('image_too_large', { message: `One answer holds at most ${FRAMES_PER_ANSWER_MAX} frames.` });
  }
  return numbers;
}

/** WADO-RS of a value that the metadata point at. */
export async function bulkdata(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
  const range = readAccept(context.request.headers.accept).find(
    (each) =>
      holds(each, OCTETS) ||
      (holds(each, 'multipart/related') && (each.partType === undefined || each.partType === OCTETS)),
  );
  if (!range) throw new Fault('not_acceptable');
  const subjects = subjectsOf(study);
  const contentType = `${OCTETS};transfer-syntax=${EXPLICIT_LITTLE_ENDIAN}`;
  const path = context.params['path'] as string;
  if (path.toUpperCase() === PIXEL_DATA) {
    needPixels(instance);
    const frameAt = async (frame: number): Promise<Uint8Array> => {
      const { frames: found } = await imaging.perform(instance, 'frames', { frames: [frame], isStored: false });
      return found[0] as Uint8Array;
    };
    // All are of one size, and only one is in memory at a time.
    const size = (await frameAt(0)).length;
    const answered = Array.from({ length: instance.frames }, (_, frame) => ({
      contentType,
      size,
      open: async () => inMemory(await frameAt(frame))(),
    }));
    return parts(answered, OCTETS, subjects);
  }
  // What is no path of a value is no address.
  if (!/^([0-9A-F]{8}\.\d{1,5}\.){0,16}[0-9A-F]{8}$/i.test(path)) throw new Fault('not_found');
  const bytes = await imaging.perform(instance, 'bulkdata', { path });
  const size = bytes.length;
  if (range.type === OCTETS) {
    const headers = { 'content-type': OCTETS, 'content-length': String(size) };
    return { subjects, bytes: { status: 200, headers, open: inMemory(bytes) } };
  }
  return parts([{ contentType, size, open: inMemory(bytes) }], OCTETS, subjects);
}
