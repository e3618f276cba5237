import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { PUBLIC_BASE_HEADER } from '@perennial/schemas/platform/http/public-base.ts';
import type { AnyContext } from '../../platform/http/handler.ts';
import type { ImagingService, Located } from '../service.ts';
import type { InstanceRow, StudyRow } from '../store.ts';

/** The file that the path names. @throws Fault `not_found` */
export async function locate(imaging: ImagingService, { caller, params }: AnyContext): Promise<Located> {
  const [study, series, instance] = ['study_uid', 'series_uid', 'instance_uid'].map((name) => params[name] as string);
  return imaging.locateByUids(caller.accountId, study as string, series as string, instance as string);
}

/** The files of a study, or of the series of it that the path names. @throws Fault `not_found` */
export async function locateAll(
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

/** The file that what the path names is looked at by: the first one with pixels. @throws Fault `not_found` */
export async function locateShown(imaging: ImagingService, context: AnyContext): Promise<Located> {
  if (context.params['instance_uid'] !== undefined) return locate(imaging, context);
  const { study, instances } = await locateAll(imaging, context);
  return { study, instance: instances.find(({ frames }) => frames > 0) ?? (instances[0] as InstanceRow) };
}

/**
 * What stands before `studies` in addresses that are answered: where the caller reaches this service, as the gateway
 * says; where nobody says, it is found from the address that was asked.
 * @param depth how many segments that one has below `dicomweb`.
 */
export function placesBefore({ request }: AnyContext, depth: number): string {
  const base = request.headers[PUBLIC_BASE_HEADER];
  return typeof base === 'string' ? `${base}/dicomweb/` : '../'.repeat(depth);
}

/** Where an instance is, below what `placesBefore` says. */
export function placeOf({ studyUid }: Pick<StudyRow, 'studyUid'>, { seriesUid, instanceUid }: InstanceRow): string {
  return `studies/${studyUid ?? ''}/series/${seriesUid ?? ''}/instances/${instanceUid ?? ''}`;
}
