import type { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type JsonDataSet, personName } from '../dicom/json.ts';
import type { MatchedSeries, MatchedStudy } from '../matching.ts';
import type { Matched, Stored } from '../service.ts';
import type { InstanceRow } from '../store.ts';
import { placeOf } from './locate.ts';

/*
 * Answers of QIDO-RS and STOW-RS in the DICOM JSON model (PS3.18, 10.6.3.3 and annex I).
 */

/** A study as QIDO-RS answers it. @param before see `placesBefore`. */
export function matchedStudy(study: MatchedStudy, before: string): JsonDataSet {
  return {
    ...texts('00080020', 'DA', study.studyDate),
    ...texts('00080030', 'TM', study.studyTime),
    ...texts('00080050', 'SH', study.accessionNumber),
    ...texts('00080061', 'CS', ...study.modalities),
    ...names('00080090', study.referringPhysician),
    ...texts('00081190', 'UR', `${before}studies/${study.studyUid ?? ''}`),
    ...texts('00081030', 'LO', study.studyDescription),
    ...names('00100010', study.dicomPatientName),
    ...texts('00100020', 'LO', study.dicomPatientId),
    ...texts('00100030', 'DA', study.patientBirthDate),
    ...texts('00100040', 'CS', study.patientSex),
    ...texts('0020000D', 'UI', study.studyUid),
    ...texts('00200010', 'SH', study.dicomStudyId),
    '00201206': { vr: 'IS', Value: [study.seriesCount] },
    '00201208': { vr: 'IS', Value: [study.instanceCount] },
  };
}

/** A series as QIDO-RS answers it (PS3.18, table 10.6.3-4), with the attributes of its study. */
export function matchedSeries({ study, match }: Matched<MatchedSeries>, before: string): JsonDataSet {
  return {
    ...matchedStudy(study, before),
    ...texts('00080060', 'CS', match.modality),
    ...texts('00081190', 'UR', `${before}studies/${study.studyUid ?? ''}/series/${match.seriesUid}`),
    ...texts('0020000E', 'UI', match.seriesUid),
    ...texts('00080021', 'DA', match.seriesDate),
    ...texts('00080031', 'TM', match.seriesTime),
    ...texts('0008103E', 'LO', match.seriesDescription),
    ...numbers('00200011', 'IS', match.seriesNumber),
    ...texts('00400244', 'DA', match.performedDate),
    ...texts('00400245', 'TM', match.performedTime),
    ...numbers('00201209', 'IS', match.instanceCount),
  };
}

/** An instance as QIDO-RS answers it (PS3.18, table 10.6.3-5), with the attributes of its study and its series. */
export function matchedInstance({ study, match }: Matched<InstanceRow>, before: string): JsonDataSet {
  const { seriesUid, instanceUid, frames } = match;
  return {
    ...matchedStudy(study, before),
    ...texts('00080016', 'UI', match.sopClassUid),
    ...texts('00080018', 'UI', instanceUid),
    ...texts('00080056', 'CS', 'ONLINE'),
    ...texts('00080060', 'CS', match.modality),
    ...texts('00081190', 'UR', before + placeOf(study, match)),
    ...texts('0020000E', 'UI', seriesUid),
    ...numbers('00200011', 'IS', match.seriesNumber),
    ...numbers('00200013', 'IS', match.instanceNumber),
    ...numbers('00280008', 'IS', frames || null),
    ...numbers('00280010', 'US', match.height || null),
    ...numbers('00280011', 'US', match.width || null),
  };
}

/** What became of each file of a STOW-RS body. */
export function storeResult(stored: readonly Stored[], failed: readonly Fault[], before: string): JsonDataSet {
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
              ...texts('00081190', 'UR', before + placeOf(study, instance)),
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

/** A name with its groups apart (PS3.18, F.2.2). */
function names(tag: string, value: string | null): JsonDataSet {
  return { [tag]: value === null ? { vr: 'PN' } : { vr: 'PN', Value: [personName(value)] } };
}

function texts(tag: string, vr: string, ...values: readonly (string | null)[]): JsonDataSet {
  const given = values.filter((value) => value !== null);
  return { [tag]: given.length === 0 ? { vr } : { vr, Value: given } };
}

function numbers(tag: string, vr: string, value: number | null): JsonDataSet {
  return { [tag]: value === null ? { vr } : { vr, Value: [value] } };
}
