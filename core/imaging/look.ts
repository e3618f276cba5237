import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { ImagingAnalysis, ImagingRegion } from '@perennial/schemas/resources/imaging-analysis.ts';
import { namesTag } from '../platform/http/download.ts';
import type { AnyContext, BytesOutcome, ContextOf } from '../platform/http/handler.ts';
import type { VoiFunction, Window } from './dicom/image-header.ts';
import type { Outline } from './overlay.ts';
import type { ImagingService, Located } from './service.ts';
import type { InstanceRow, StudyRow } from './store.ts';
import type { RenderInput } from './worker/tasks.ts';

const SIZE_DEFAULT = 1024;
/** The longest edge of a small picture. */
export const THUMBNAIL_EDGE = 160;

/** Changes when pictures of the same file and the same wishes come out otherwise. */
const RENDERING_VERSION = 1;

/** A picture of a study as PNG, as the query wants it. */
export async function preview(
  imaging: ImagingService,
  context: ContextOf<'imaging.studies.preview'>,
): Promise<BytesOutcome> {
  const { caller, params, query } = context;
  const studyId = params.study_id;
  const { study, instance } = await imaging.locate(caller.accountId, studyId, query.instance_id);
  const resultId = query.result_id;
  const result = resultId === undefined ? undefined : await imaging.result(caller.accountId, studyId, resultId);
  const frame = frameOf(query.frame, instance);
  if (result && (result.imaging.instance_id !== instance.id || result.imaging.frame !== frame)) {
    throw invalidParameter('result_id', 'not_allowed_value');
  }
  return picture(
    imaging,
    context,
    { study, instance },
    {
      frame: frame - 1,
      window: windowOf(query),
      isInverted: query.invert === true,
      edgeMax: query.size ?? SIZE_DEFAULT,
      outlines: result ? outlinesOf(result.imaging.analysis) : [],
      format: 'png',
    },
  );
}

/** The frame that a result is of, with the places of what was found drawn on it. */
export async function resultPicture(
  imaging: ImagingService,
  context: ContextOf<'imaging.results.picture'>,
): Promise<BytesOutcome> {
  const { caller, params, query } = context;
  const { study_id: studyId, result_id: resultId } = params;
  const result = await imaging.result(caller.accountId, studyId, resultId);
  const { instance_id, frame, analysis } = result.imaging;
  const located = await imaging.locate(caller.accountId, studyId, instance_id);
  return picture(imaging, context, located, {
    frame: frame - 1,
    window: undefined,
    isInverted: false,
    edgeMax: query.size ?? SIZE_DEFAULT,
    outlines: analysis.findings.flatMap(({ region }) => outlineOf(region, 'finding')),
    format: 'png',
  });
}

/** A small picture of a study. */
export async function thumbnail(
  imaging: ImagingService,
  context: ContextOf<'imaging.studies.thumbnail'>,
): Promise<BytesOutcome> {
  const { caller, params, query } = context;
  const { study, instance } = await imaging.locate(caller.accountId, params.study_id, query.instance_id);
  const frame = frameOf(query.frame, instance);
  const shown = { window: undefined, isInverted: false, edgeMax: THUMBNAIL_EDGE, outlines: [], format: 'png' } as const;
  return picture(imaging, context, { study, instance }, { ...shown, frame: frame - 1 });
}

/** Whose images an answer shows that is no JSON, for the audit trail. */
export function subjectsOf(...studies: readonly Pick<StudyRow, 'patientId'>[]): readonly string[] {
  return studies.flatMap(({ patientId }) => patientId ?? []);
}

/** The picture; nothing is drawn for a caller who has it already. */
export async function picture(
  imaging: ImagingService,
  { request }: Pick<AnyContext, 'request'>,
  { study, instance }: Located,
  input: RenderInput,
): Promise<BytesOutcome> {
  const subjects = subjectsOf(study);
  const wanted = JSON.stringify([RENDERING_VERSION, instance.sha256, input]);
  const etag = `"${createHash('sha256').update(wanted).digest('hex')}"`;
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && namesTag(condition, etag)) return { status: 304, headers: { etag }, subjects };
  const match = request.headers['if-match'];
  if (match !== undefined && !namesTag(match, etag)) throw new Fault('precondition_failed');
  const bytes = await imaging.perform(instance, 'render', input);
  const headers = { etag, 'content-type': `image/${input.format}`, 'content-length': String(bytes.length) };
  return { subjects, bytes: { status: 200, headers, open: async () => Readable.from([Buffer.from(bytes)]) } };
}

function windowOf(query: ContextOf<'imaging.studies.preview'>['query']): Window | undefined {
  const { window_center: center, window_width: width, window_function: named } = query;
  if (center === undefined && width === undefined) return undefined;
  if (center === undefined) throw invalidParameter('window_center', 'required');
  if (width === undefined) throw invalidParameter('window_width', 'required');
  const kind = (named ?? 'linear').toUpperCase() as VoiFunction;
  return { center, width, function: kind };
}

/** @throws Fault `media_type_unsupported` when there is nothing to look at. */
export function needPixels({ frames }: InstanceRow): void {
  if (frames === 0) throw new Fault('media_type_unsupported', { message: 'The DICOM file holds no pixels.' });
}

/** @param asked from 1. @throws Fault `media_type_unsupported`, `validation_failed` */
function frameOf(asked: number | undefined, instance: InstanceRow): number {
  needPixels(instance);
  const { frames } = instance;
  const frame = asked ?? 1;
  if (frame > frames) throw invalidParameter('frame', 'too_large');
  return frame;
}

/** Everything in a result that has a place. */
function outlinesOf({ structures, measures, findings }: ImagingAnalysis): readonly Outline[] {
  return [
    ...structures.flatMap(({ region }) => outlineOf(region, 'structure')),
    ...measures.flatMap(({ region }) => outlineOf(region, 'measure')),
    ...findings.flatMap(({ region }) => outlineOf(region, 'finding')),
  ];
}

function outlineOf(region: ImagingRegion | null, kind: Outline['kind']): readonly Outline[] {
  return region === null ? [] : [{ kind, points: pointsOf(region) }];
}

function pointsOf({ box, polygon }: ImagingRegion): Outline['points'] {
  if (polygon.length > 1) return polygon.map(([x = 0, y = 0]) => [x, y] as const);
  const { x, y, width, height } = box;
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}
