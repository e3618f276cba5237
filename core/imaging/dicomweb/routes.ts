import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { details } from '@perennial/schemas/errors.ts';
import type { OperationId } from '@perennial/schemas/operation-types.ts';
import { Fault, invalid, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import { toFault } from '../../platform/http/answer-faults.ts';
import type { AnyContext, BytesOutcome, HandlersFor } from '../../platform/http/operations.ts';
import type { VoiFunction, Window } from '../dicom/image-header.ts';
import type { JsonDataSet } from '../dicom/json.ts';
import { EXPLICIT_LITTLE_ENDIAN, transferSyntaxes } from '../dicom/transfer-syntaxes.ts';
import { imageLimits } from '../image-fault.ts';
import { picture, subjectsOf } from '../look.ts';
import type { ImagingService, Located, Received, Stored } from '../service.ts';
import type { InstanceRow, StudyMatch, StudyRow } from '../store.ts';
import { type AcceptedRange, holds, readAccept } from './accept.ts';
import { matchedInstance, matchedSeries, matchedStudy, storeResult } from './data-sets.ts';
import { type AnsweredPart, readParts, writeParts } from './multipart.ts';

const DICOM = 'application/dicom';
const JSON_MODEL = 'application/dicom+json';
const OCTETS = 'application/octet-stream';
const FRAMES_PER_ANSWER_MAX = 50;
const EDGE_DEFAULT = 4096;

/** Media types of compressed frames (PS3.18, table 8.7.3-5). */
const frameTypes = {
  none: OCTETS,
  rle: 'image/dicom-rle',
  jpeg: 'image/jpeg',
  jpeg_ls: 'image/jls',
  jpeg_2000: 'image/jp2',
  htj2k: 'image/jphc',
} as const;

/** DICOMweb (PS3.18): STOW-RS, WADO-RS and QIDO-RS. */
export function dicomwebHandlers(imaging: ImagingService): HandlersFor<Extract<OperationId, `dicomweb.${string}`>> {
  return {
    'dicomweb.studies.search': (context) =>
      search(
        context,
        (account, match) => imaging.match(account, match),
        matchedStudy,
        (study) => study,
      ),
    'dicomweb.series.search': (context) => searchSeries(imaging, context),
    'dicomweb.studies.series.search': (context) => searchSeries(imaging, context),
    'dicomweb.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.studies.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.series.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.studies.store': (context) => store(imaging, context, undefined),
    'dicomweb.studies.store_into': (context) => store(imaging, context, context.params.study_uid),
    'dicomweb.studies.retrieve': (context) => retrieveAll(imaging, context),
    'dicomweb.series.retrieve': (context) => retrieveAll(imaging, context),
    'dicomweb.studies.metadata': async (context) => {
      needAccepted(context, JSON_MODEL, 'application/json');
      const { study, instances } = await locateAll(imaging, context);
      const below = (each: InstanceRow): string => `series/${each.seriesUid}/instances/${each.instanceUid}/`;
      return jsonArray(metadataOf(imaging, instances, below), subjectsOf(study));
    },
    'dicomweb.series.metadata': async (context) => {
      needAccepted(context, JSON_MODEL, 'application/json');
      const { study, instances } = await locateAll(imaging, context);
      return jsonArray(
        metadataOf(imaging, instances, (each) => `instances/${each.instanceUid}/`),
        subjectsOf(study),
      );
    },
    'dicomweb.instances.metadata': async (context) => {
      needAccepted(context, JSON_MODEL, 'application/json');
      const { study, instance } = await locate(imaging, context);
      return jsonArray(
        metadataOf(imaging, [instance], () => ''),
        subjectsOf(study),
      );
    },
    'dicomweb.instances.retrieve': (context) => retrieve(imaging, context),
    'dicomweb.instances.rendered': (context) => rendered(imaging, context),
    'dicomweb.frames.retrieve': (context) => frames(imaging, context),
  };
}

async function locate(imaging: ImagingService, { caller, params }: AnyContext): Promise<Located> {
  const [study, series, instance] = ['study_uid', 'series_uid', 'instance_uid'].map((name) => params[name] as string);
  return imaging.locateByUids(caller.accountId, study as string, series as string, instance as string);
}

/** The files of a study, or of the series of it that the path names. @throws Fault `not_found` */
async function locateAll(
  imaging: ImagingService,
  { caller, params }: AnyContext,
): Promise<{ readonly study: StudyRow; readonly instances: readonly InstanceRow[] }> {
  const study = await imaging.getByUid(caller.accountId, params['study_uid'] as string);
  const all = await imaging.instancesOf(study.id);
  const series = params['series_uid'];
  const instances = series === undefined ? all : all.filter(({ seriesUid }) => seriesUid === series);
  if (instances.length === 0) throw new Fault('not_found');
  return { study, instances };
}

const NOT_FUZZY =
  '299 perennial "The fuzzymatching parameter is not supported. Only literal matching has been performed."';

/** Answers what matches: PS3.18, 10.6. */
async function search<T>(
  context: AnyContext,
  find: (accountId: string, match: StudyMatch) => Promise<readonly T[]>,
  write: (match: T) => JsonDataSet,
  studyOf: (match: T) => StudyRow,
): Promise<BytesOutcome> {
  needAccepted(context, JSON_MODEL, 'application/json');
  const matches = await find(context.caller.accountId, matchOf(context));
  const warning = context.query['fuzzymatching'] === true ? { warning: NOT_FUZZY } : {};
  if (matches.length === 0) return { status: 204, headers: warning };
  return json(matches.map(write), 200, subjectsOf(...matches.map(studyOf)), warning);
}

function matchOf({ query, params }: AnyContext): StudyMatch {
  const text = (name: string): string | undefined => (typeof query[name] === 'string' ? query[name] : undefined);
  const number = (name: string): number | undefined => (typeof query[name] === 'number' ? query[name] : undefined);
  const date = text('StudyDate');
  const [from, to] = date?.includes('-') ? date.split('-', 2) : [date, date];
  return {
    studyUid: params['study_uid'] ?? text('StudyInstanceUID'),
    patientId: text('PatientID'),
    patientName: text('PatientName')
      ?.replace(/[\\%_]/g, '\\$&')
      .replaceAll('*', '%')
      .replaceAll('?', '_'),
    accessionNumber: text('AccessionNumber'),
    modality: text('ModalitiesInStudy'),
    from: from || undefined,
    to: to || undefined,
    seriesUid: params['series_uid'] ?? text('SeriesInstanceUID'),
    seriesNumber: number('SeriesNumber'),
    seriesModality: text('Modality'),
    instanceUid: text('SOPInstanceUID'),
    instanceNumber: number('InstanceNumber'),
    sopClassUid: text('SOPClassUID'),
    limit: number('limit') ?? 100,
    offset: number('offset') ?? 0,
  };
}

function searchSeries(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  return search(
    context,
    (account, match) => imaging.matchSeries(account, match),
    (each) => matchedSeries(each, above(context)),
    ({ study }) => study,
  );
}

function searchInstances(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  return search(
    context,
    (account, match) => imaging.matchInstances(account, match),
    (each) => matchedInstance(each, above(context)),
    ({ study }) => study,
  );
}

/** From the address that was asked to the one that `studies` is below. */
function above({ params }: AnyContext): string {
  return '../../'.repeat(['study_uid', 'series_uid'].filter((name) => params[name] !== undefined).length);
}

/**
 * Stores every file that can be; one that cannot does not stop the others (PS3.18, 10.5.3). That is about whole files: a
 * body that breaks off, or has no last boundary, is no store request, and nothing of it stays.
 */
async function store(
  imaging: ImagingService,
  context: AnyContext,
  studyUid: string | undefined,
): Promise<BytesOutcome> {
  const received: Received[] = [];
  const stored: Stored[] = [];
  const failed: Fault[] = [];
  const note = (error: unknown): void => {
    const fault = toFault(error);
    // What is not about the file is about the whole.
    if (fault.status >= 500 && fault.code !== 'storage_full') throw error;
    failed.push(fault);
  };
  try {
    for await (const { mediaType, bytes } of readParts(context.request)) {
      if (mediaType !== DICOM && mediaType !== '') {
        failed.push(new Fault('media_type_unsupported', { message: 'Every part must be a DICOM file.' }));
      } else await imaging.receive(bytes).then((each) => received.push(each), note);
    }
    for (let next = received.shift(); next !== undefined; next = received.shift())
      await imaging.storeReceived(context.caller, next, studyUid).then((each) => stored.push(each), note);
  } finally {
    await imaging.discard(received);
  }
  const [first] = failed;
  if (stored.length === 0) {
    throw first ?? invalid([{ code: 'too_few', message: details.too_few, pointer: '' }]);
  }
  const below = studyUid === undefined ? 'studies/' : '';
  return json(
    storeResult(stored, failed, below),
    failed.length > 0 ? 202 : 200,
    subjectsOf(...stored.map(({ study }) => study)),
  );
}

async function* metadataOf(
  imaging: ImagingService,
  instances: readonly InstanceRow[],
  below: (instance: InstanceRow) => string,
): AsyncGenerator<string> {
  for (const [at, instance] of instances.entries()) {
    const numbers = Array.from({ length: Math.min(instance.frames, FRAMES_PER_ANSWER_MAX) }, (_, frame) => frame + 1);
    const pixelDataUri = `${below(instance)}frames/${numbers.join(',')}`;
    const dataSet = await imaging.perform(instance, 'metadata', { pixelDataUri });
    yield `${at === 0 ? '[' : ','}${JSON.stringify(dataSet)}`;
  }
  yield ']';
}

async function retrieve(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
  const stored = instance.transferSyntaxUid ?? EXPLICIT_LITTLE_ENDIAN;
  const fits = ({ transferSyntax }: AcceptedRange): boolean =>
    transferSyntax === undefined || transferSyntax === '*' || transferSyntax === stored;
  const range = readAccept(context.request.headers.accept).find(
    (each) =>
      fits(each) &&
      (holds(each, DICOM) ||
        (holds(each, 'multipart/related') && (each.partType === undefined || each.partType === DICOM))),
  );
  if (!range) throw new Fault('not_acceptable');
  const subjects = subjectsOf(study);
  const contentType = `${DICOM};transfer-syntax=${stored}`;
  const open = (): Promise<Readable> => imaging.open(instance);
  if (range.type === DICOM) {
    const headers = { 'content-type': contentType, 'content-length': String(instance.sizeBytes) };
    return { subjects, bytes: { status: 200, headers, open } };
  }
  return parts([{ contentType, size: instance.sizeBytes, open }], DICOM, subjects);
}

/** Every file of a study or a series, read while it is sent: one part is open at a time. */
async function retrieveAll(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
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

async function rendered(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
  const types = ['image/jpeg', 'image/png'] as const;
  const accepted = readAccept(context.request.headers.accept);
  const format = accepted.map((range) => types.find((each) => holds(range, each))).find((each) => each !== undefined);
  if (!format) throw new Fault('not_acceptable');
  const { viewport, window } = context.query;
  return picture(
    imaging,
    context,
    { study, instance },
    {
      frame: 0,
      window: typeof window === 'string' ? readWindow(window) : undefined,
      isInverted: false,
      edgeMax: typeof viewport === 'string' ? edgeIn(viewport, instance) : EDGE_DEFAULT,
      outlines: [],
      format: format === 'image/png' ? 'png' : 'jpeg',
    },
  );
}

function readWindow(text: string): Window {
  const [center = '', width = '', named = 'linear'] = text.split(',');
  const kind = named.toUpperCase().replace('-', '_') as VoiFunction;
  if (Number(width) < 1) throw invalidParameter('window', 'too_small');
  return { center: Number(center), width: Number(width), function: kind };
}

/** The longest edge of the picture when it fits into the viewport. */
function edgeIn(viewport: string, { width, height }: InstanceRow): number {
  const [wide = 0, tall = 0] = viewport.split(',').map(Number);
  if (wide === 0 || tall === 0) throw invalidParameter('viewport', 'too_small');
  return Math.max(1, Math.floor(Math.max(width, height) * Math.min(1, wide / width, tall / height)));
}

async function frames(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { study, instance } = await locate(imaging, context);
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
  if (wanted.length * bytesPerFrame > imageLimits.frameBytesMax) {
    throw new Fault('image_too_large', { message: 'These frames are more than one answer may hold; ask for fewer.' });
  }
  const output = await imaging.perform(instance, 'frames', { frames: wanted.map((frame) => frame - 1), isStored });
  const type = isStored ? storedType : OCTETS;
  const named = `${type};transfer-syntax=${isStored ? syntax?.uid : EXPLICIT_LITTLE_ENDIAN}`;
  const answered = output.frames.map((bytes) => ({
    contentType: named,
    size: bytes.length,
    open: async () => Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
  }));
  return parts(answered, type, subjectsOf(study));
}

function readFrames(text: string, { frames: count }: InstanceRow): readonly number[] {
  const numbers = text.split(',').map((each) => (/^\d{1,6}$/.test(each) ? Number(each) : 0));
  // What no frame is called is not there.
  if (numbers.some((frame) => frame < 1 || frame > count)) throw new Fault('not_found');
  if (numbers.length > FRAMES_PER_ANSWER_MAX) {
    throw new Fault('image_too_large', { message: `One answer holds at most ${FRAMES_PER_ANSWER_MAX} frames.` });
  }
  return numbers;
}

function needAccepted({ request }: AnyContext, ...types: readonly string[]): void {
  const accepted = readAccept(request.headers.accept);
  if (!accepted.some((range) => types.some((type) => holds(range, type)))) throw new Fault('not_acceptable');
}

function parts(answered: readonly AnsweredPart[], type: string, subjects: readonly string[]): BytesOutcome {
  const { headers, open } = writeParts(answered, type, `perennial-${randomBytes(16).toString('hex')}`);
  return { subjects, bytes: { status: 200, headers, open } };
}

function json(
  value: unknown,
  status: number,
  subjects: readonly string[],
  more: Readonly<Record<string, string>> = {},
): BytesOutcome {
  const bytes = Buffer.from(JSON.stringify(value));
  const headers = { 'content-type': JSON_MODEL, 'content-length': String(bytes.length), ...more };
  return { subjects, bytes: { status, headers, open: async () => Readable.from([bytes]) } };
}

/** An array whose entries are made while they are sent; the first one before, so that its failure can be told. */
async function jsonArray(entries: AsyncGenerator<string>, subjects: readonly string[]): Promise<BytesOutcome> {
  const first = await entries.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* entries;
  }
  const headers = { 'content-type': JSON_MODEL };
  return { subjects, bytes: { status: 200, headers, open: async () => Readable.from(all(), { objectMode: false }) } };
}
