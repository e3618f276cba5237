import type { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { JsonDataSet } from '../dicom/json.ts';
import type { Matched, Stored } from '../service.ts';
import type { InstanceRow, MatchedSeries, MatchedStudy } from '../store.ts';

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

/** A series as QIDO-RS answers it (PS3.18, table 10.6.3-4), with the attributes of its study. */
export function matchedSeries({ study, match }: Matched<MatchedSeries>, above: string): JsonDataSet {
  return {
    ...matchedStudy(study),
    ...texts('00080060', 'CS', match.modality),
    ...texts('00081190', 'UR', `${above}studies/${study.studyUid ?? ''}/series/${match.seriesUid}`),
    ...texts('0020000E', 'UI', match.seriesUid),
    ...numbers('00200011', 'IS', match.seriesNumber),
    ...numbers('00201209', 'IS', match.instanceCount),
  };
}

/** An instance as QIDO-RS answers it (PS3.18, table 10.6.3-5), with the attributes of its study and its series. */
export function matchedInstance({ study, match }: Matched<InstanceRow>, above: string): JsonDataSet {
  const { seriesUid, instanceUid, frames } = match;
  return {
    ...matchedStudy(study),
    ...texts('00080016', 'UI', match.sopClassUid),
    ...texts('00080018', 'UI', instanceUid),
    ...texts('00080056', 'CS', 'ONLINE'),
    ...texts('00080060', 'CS', match.modality),
    ...texts(
      '00081190',
      'UR',
      `${above}studies/${study.studyUid ?? ''}/series/${seriesUid ?? ''}/instances/${instanceUid ?? ''}`,
    ),
    ...texts('0020000E', 'UI', seriesUid),
    ...numbers('00200011', 'IS', match.seriesNumber),
    ...numbers('00200013', 'IS', match.instanceNumber),
    ...numbers('00280008', 'IS', frames),
    ...numbers('00280010', 'US', match.height),
    ...numbers('00280011', 'US', match.width),
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

function numbers(tag: string, vr: string, value: number | null): JsonDataSet {
  return { [tag]: value === null ? { vr } : { vr, Value: [value] } };
}
