import { details } from '@perennial/schemas/errors.ts';
import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { toFault } from '../../platform/http/answer-faults.ts';
import type { AnyContext, BytesOutcome } from '../../platform/http/handler.ts';
import { subjectsOf } from '../look.ts';
import type { ImagingService, Received, Stored } from '../service.ts';
import { DICOM, json } from './answers.ts';
import { storeResult } from './data-sets.ts';
import { placesBefore } from './locate.ts';
import { readParts } from './multipart.ts';

/**
 * Stores every file that can be; one that cannot does not stop the others (PS3.18, 10.5.3). That is about whole files: a
 * body that breaks off, or has no last boundary, is no store request, and nothing of it stays.
 */
export async function store(
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
  return json(
    storeResult(stored, failed, placesBefore(context, studyUid === undefined ? 0 : 1)),
    failed.length > 0 ? 202 : 200,
    subjectsOf(...stored.map(({ study }) => study)),
  );
}
