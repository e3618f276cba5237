import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AnyContext, BytesOutcome } from '../../platform/http/handler.ts';
import type { VoiFunction, Window } from '../dicom/image-header.ts';
import { needPixels, picture, THUMBNAIL_EDGE } from '../look.ts';
import type { ImagingService, Located } from '../service.ts';
import type { InstanceRow } from '../store.ts';
import type { Annotation, Region, RenderInput } from '../worker/tasks.ts';
import { holds, readAccept } from './accept.ts';
import { DICOM } from './answers.ts';
import { locateShown } from './locate.ts';
import { retrieve } from './retrieve.ts';

const EDGE_DEFAULT = 4096;
/** Two numbers, or six of which the last four may be empty. */
const VIEWPORT = /^\d{1,5},\d{1,5}(,(\d{1,6}(\.\d{1,6})?)?,(\d{1,6}(\.\d{1,6})?)?(,(-?\d{1,6}(\.\d{1,6})?)?){2})?$/;
const types = ['image/jpeg', 'image/png'] as const;

/** WADO-RS of a picture: of the frame that the path names, else of the first one (PS3.18, 8.3.5). */
export async function rendered(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const located = await locateShown(imaging, context);
  const { query } = context;
  const text = (name: string): string | undefined => (typeof query[name] === 'string' ? query[name] : undefined);
  needPixels(located.instance);
  const window = text('window');
  const viewport = text('viewport');
  return picture(imaging, context, located, {
    ...plainly(context.request.headers.accept, frameOf(context, located.instance)),
    ...(viewport === undefined ? {} : readViewport(viewport, located.instance)),
    window: window === undefined ? undefined : readWindow(window),
    ...(typeof query['quality'] === 'number' ? { quality: query['quality'] } : {}),
    annotations: readAnnotations(text('annotation')),
  });
}

/** WADO-RS of a small picture. */
export async function thumbnail(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const located = await locateShown(imaging, context);
  needPixels(located.instance);
  const viewport = context.query['viewport'];
  const size = typeof viewport === 'string' ? readViewport(viewport, located.instance) : { edgeMax: THUMBNAIL_EDGE };
  return picture(imaging, context, located, {
    ...plainly(context.request.headers.accept, frameOf(context, located.instance)),
    ...size,
  });
}

/** WADO-URI (PS3.18, 9): a file, or a picture of it, named by parameters. */
export async function wadoUri(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const { query, caller } = context;
  const text = (name: string): string => String(query[name] ?? '');
  const number = (name: string): number | undefined => (typeof query[name] === 'number' ? query[name] : undefined);
  const params = { study_uid: text('studyUID'), series_uid: text('seriesUID'), instance_uid: text('objectUID') };
  const wanted = text('contentType').split(',')[0]?.trim() || 'image/jpeg';
  // What is wanted stands in the address; the header is what a browser sends for any picture.
  if (wanted === DICOM) return retrieve(imaging, { ...context, params }, DICOM);
  if (!types.some((each) => each === wanted)) throw new Fault('not_acceptable');
  const located = await imaging.locateByUids(
    caller.accountId,
    params.study_uid,
    params.series_uid,
    params.instance_uid,
  );
  needPixels(located.instance);
  const frame = number('frameNumber') ?? 1;
  if (frame > located.instance.frames) throw invalidParameter('frameNumber', 'too_large');
  const [center, width] = [number('windowCenter'), number('windowWidth')];
  if ((center === undefined) !== (width === undefined)) {
    throw invalidParameter(center === undefined ? 'windowCenter' : 'windowWidth', 'required');
  }
  const { instance } = located;
  const [columns, rows] = [number('columns') ?? EDGE_DEFAULT, number('rows') ?? EDGE_DEFAULT];
  return picture(imaging, context, located, {
    ...plainly(wanted, frame),
    window: center === undefined || width === undefined ? undefined : { center, width, function: 'LINEAR' },
    edgeMax: edgeWithin(columns, rows, instance.width, instance.height),
    ...(number('imageQuality') === undefined ? {} : { quality: number('imageQuality') as number }),
    annotations: readAnnotations(query['annotation'] === undefined ? undefined : text('annotation')),
  });
}

/** A frame as it is shown when nothing is asked for, in the format that is liked best. @param frame from 1. */
function plainly(accept: string | undefined, frame: number): RenderInput {
  const accepted = readAccept(accept);
  const format = accepted.map((range) => types.find((each) => holds(range, each))).find((each) => each !== undefined);
  if (!format) throw new Fault('not_acceptable');
  return {
    frame: frame - 1,
    window: undefined,
    isInverted: false,
    edgeMax: EDGE_DEFAULT,
    outlines: [],
    format: format === 'image/png' ? 'png' : 'jpeg',
  };
}

/** From 1. @throws Fault `not_found` unless the path names one frame that there is. */
function frameOf({ params }: AnyContext, { frames }: InstanceRow): number {
  const named = params['frames'];
  if (named === undefined) return 1;
  const frame = /^\d{1,6}$/.test(named) ? Number(named) : 0;
  if (frame < 1 || frame > frames) throw new Fault('not_found');
  return frame;
}

function readWindow(text: string): Window {
  const [center = '', width = '', named = 'linear'] = text.split(',');
  const kind = named.toUpperCase().replace('-', '_') as VoiFunction;
  if (Number(width) < 1) throw invalidParameter('window', 'too_small');
  return { center: Number(center), width: Number(width), function: kind };
}

/** Width and height to fit into; then the part that is shown, in pixels: a negative size mirrors it (PS3.18, 8.3.5.1.3). */
function readViewport(
  text: string,
  { width, height }: Located['instance'],
): { readonly edgeMax: number; readonly region?: Region } {
  if (!VIEWPORT.test(text)) throw invalidParameter('viewport', 'wrong_format');
  const [wide = 0, tall = 0, ...part] = text.split(',').map((each) => (each === '' ? undefined : Number(each)));
  if (wide === 0 || tall === 0) throw invalidParameter('viewport', 'too_small');
  const [left = 0, top = 0, across = width, down = height] = part;
  const x = Math.floor(left);
  const y = Math.floor(top);
  const region: Region = {
    x,
    y,
    width: Math.min(Math.floor(Math.abs(across)), width - x),
    height: Math.min(Math.floor(Math.abs(down)), height - y),
    isMirrored: across < 0,
    isUpsideDown: down < 0,
  };
  // Nothing of the picture would be left.
  if (region.width < 1 || region.height < 1) throw invalidParameter('viewport', 'too_large');
  const edgeMax = edgeWithin(wide, tall, region.width, region.height);
  return part.length === 0 ? { edgeMax } : { edgeMax, region };
}

/** The longest edge of the picture when it fits. */
function edgeWithin(wide: number, tall: number, width: number, height: number): number {
  return Math.max(1, Math.floor(Math.max(width, height) * Math.min(1, wide / width, tall / height)));
}

function readAnnotations(text: string | undefined): readonly Annotation[] {
  return text === undefined ? [] : [...new Set(text.split(',') as Annotation[])];
}
