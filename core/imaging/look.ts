import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault, invalidParameter } from '@perennial/schemas/http/fault.ts';
import type { ImagingAnalysis, ImagingRegion } from '@perennial/schemas/resources/imaging-analysis.ts';
import { namesTag } from '../http/download.ts';
import type { Context, Outcome } from '../http/operations.ts';
import type { VoiFunction, Window } from './dicom/image-header.ts';
import type { Outline } from './overlay.ts';
import type { ImagingService, Located } from './service.ts';
import type { InstanceRow, StudyRow } from './store.ts';
import type { RenderInput } from './worker/tasks.ts';

const SIZE_DEFAULT = 1024;
const THUMBNAIL_EDGE = 160;

/** Changes when pictures of the same file and the same wishes come out otherwise. */
const RENDERING_VERSION = 1;

/** A picture of a study as PNG, as the query wants it. */
export async function preview(imaging: ImagingService, context: Context): Promise<Outcome> {
  const { caller, params, query } = context;
  const studyId = params['study_id'] as string;
  const { study, instance } = await imaging.locate(caller.accountId, studyId, text(query['instance_id']));
  const resultId = text(query['result_id']);
  const result = resultId === undefined ? undefined : await imaging.result(caller.accountId, studyId, resultId);
  const frame = frameOf(query['frame'], instance);
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
      isInverted: query['invert'] === true,
      edgeMax: typeof query['size'] === 'number' ? query['size'] : SIZE_DEFAULT,
      outlines: result ? outlinesOf(result.imaging.analysis) : [],
      format: 'png',
    },
  );
}

/** A small picture of a study. */
export async function thumbnail(imaging: ImagingService, context: Context): Promise<Outcome> {
  const { caller, params, query } = context;
  const { accountId } = caller;
  const { study, instance } = await imaging.locate(accountId, params['study_id'] as string, text(query['instance_id']));
  const frame = frameOf(query['frame'], instance);
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
  { request }: Pick<Context, 'request'>,
  { study, instance }: Located,
  input: RenderInput,
): Promise<Outcome> {
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

function windowOf(query: Context['query']): Window | undefined {
  const { window_center: center, window_width: width, window_function: named } = query;
  if (typeof center !== 'number' && typeof width !== 'number') return undefined;
  if (typeof center !== 'number') throw invalidParameter('window_center', 'required');
  if (typeof width !== 'number') throw invalidParameter('window_width', 'required');
  const kind = (typeof named === 'string' ? named : 'linear').toUpperCase() as VoiFunction;
  return { center, width, function: kind };
}

function frameOf(asked: unknown, { frames }: InstanceRow): number {
  const frame = typeof asked === 'number' ? asked : 1;
  if (frame > frames) throw invalidParameter('frame', 'too_large');
  return frame;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Everything in a result that has a place. */
function outlinesOf({ structures, measures, findings }: ImagingAnalysis): readonly Outline[] {
  const outline = (region: ImagingRegion | null, kind: Outline['kind']): readonly Outline[] =>
    region === null ? [] : [{ kind, points: pointsOf(region) }];
  return [
    ...structures.flatMap(({ region }) => outline(region, 'structure')),
    ...measures.flatMap(({ region }) => outline(region, 'measure')),
    ...findings.flatMap(({ region }) => outline(region, 'finding')),
  ];
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
