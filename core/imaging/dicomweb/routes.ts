import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { HandlersFor } from '../../platform/http/handler.ts';
import type { ImagingService } from '../service.ts';
import { rendered, thumbnail, wadoUri } from './rendered.ts';
import { bulkdata, frames, metadata, retrieve, retrieveAll } from './retrieve.ts';
import { searchInstances, searchSeries, searchStudies } from './search.ts';
import { store } from './stow.ts';

/** DICOMweb (PS3.18): STOW-RS, WADO-RS, QIDO-RS and WADO-URI. */
export function dicomwebHandlers(imaging: ImagingService): HandlersFor<Extract<OperationId, `dicomweb.${string}`>> {
  return {
    'dicomweb.studies.search': (context) => searchStudies(imaging, context),
    'dicomweb.series.search': (context) => searchSeries(imaging, context),
    'dicomweb.studies.series.search': (context) => searchSeries(imaging, context),
    'dicomweb.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.studies.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.series.instances.search': (context) => searchInstances(imaging, context),
    'dicomweb.studies.store': (context) => store(imaging, context, undefined),
    'dicomweb.studies.store_into': (context) => store(imaging, context, context.params.study_uid),
    'dicomweb.studies.retrieve': (context) => retrieveAll(imaging, context),
    'dicomweb.series.retrieve': (context) => retrieveAll(imaging, context),
    'dicomweb.instances.retrieve': (context) => retrieve(imaging, context),
    'dicomweb.studies.metadata': (context) => metadata(imaging, context, 2),
    'dicomweb.series.metadata': (context) => metadata(imaging, context, 4),
    'dicomweb.instances.metadata': (context) => metadata(imaging, context, 6),
    'dicomweb.studies.rendered': (context) => rendered(imaging, context),
    'dicomweb.series.rendered': (context) => rendered(imaging, context),
    'dicomweb.instances.rendered': (context) => rendered(imaging, context),
    'dicomweb.frames.rendered': (context) => rendered(imaging, context),
    'dicomweb.studies.thumbnail': (context) => thumbnail(imaging, context),
    'dicomweb.series.thumbnail': (context) => thumbnail(imaging, context),
    'dicomweb.instances.thumbnail': (context) => thumbnail(imaging, context),
    'dicomweb.frames.thumbnail': (context) => thumbnail(imaging, context),
    'dicomweb.frames.retrieve': (context) => frames(imaging, context),
    'dicomweb.instances.bulkdata': (context) => bulkdata(imaging, context),
    'dicomweb.wado': (context) => wadoUri(imaging, context),
  };
}
