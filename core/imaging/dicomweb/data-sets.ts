import type { Fault } from '@perennial/schemas/http/fault.ts';
import type { JsonDataSet } from '../dicom/json.ts';
import type { Stored } from '../service.ts';
import type { MatchedStudy } from '../store.ts';

/*
 * Answers of QIDO-RS and STOW-RS in the DICOM JSON model (PS3.18, 10.6.3.3 and annex I).
 */

/** A study as QIDO-RS answers it. */
export function matchedStudy(study: MatchedStudy): JsonDataSet {
  const name = study.dicomPatientName;
  return {
    ...texts('00080020', 'DA', study.studyDate),
    ...texts('00080030', 'TM', study.studyTime),
    ...texts('00080050', 'SH', study.accessionNumber),
    ...texts('00080061', 'CS', ...study.modalities),
    // Relative to the address that was asked.
    ...texts('00081190', 'UR', `studies/${study.studyUid ?? ''}`),
    ...texts('00081030', 'LO', study.studyDescription),
    '00100010': name === null ? { vr: 'PN' } : { vr: 'PN', Value: [{ Alphabetic: name.split('=')[0] }] },
    ...texts('00100020', 'LO', study.dicomPatientId),
    ...texts('0020000D', 'UI', study.studyUid),
    ...texts('00200010', 'SH', study.dicomStudyId),
    '00201206': { vr: 'IS', Value: [study.seriesCount] },
    '00201208': { vr: 'IS', Value: [study.instanceCount] },
  };
}

/** What became of each file of a STOW-RS body. */
export function storeResult(stored: readonly Stored[], failed: readonly Fault[], below: string): JsonDataSet {
  return {
    ...(failed.length > 0
      ? {
          '00081198': {
            vr: 'SQ',
            Value: failed.map((fault) => ({ '00081197': { vr: 'US', Value: [reasonOf(fault)] } })),
          },
        }
      : {}),
    ...(stored.length > 0
      ? {
          '00081199': {
            vr: 'SQ',
            Value: stored.map(({ instance, study }) => ({
              ...texts('00081150', 'UI', instance.sopClassUid),
              ...texts('00081155', 'UI', instance.instanceUid),
              ...texts(
                '00081190',
                'UR',
                `${below}${study.studyUid ?? ''}/series/${instance.seriesUid ?? ''}/instances/${instance.instanceUid ?? ''}`,
              ),
            })),
          },
        }
      : {}),
  };
}

/** Failure Reason (PS3.18, I.2.2). */
function reasonOf({ code }: Fault): number {
  switch (code) {
    case 'instance_exists':
      return 0x0111;
    case 'media_type_unsupported':
      return 0x0122;
    case 'body_too_large':
    case 'image_too_large':
    case 'limit_reached':
    case 'storage_full':
    case 'unavailable':
      return 0xa700;
    default:
      return 0xc000;
  }
}

function texts(tag: string, vr: string, ...values: readonly (string | null)[]): JsonDataSet {
  const given = values.filter((value) => value !== null);
  return { [tag]: given.length === 0 ? { vr } : { vr, Value: given } };
}
