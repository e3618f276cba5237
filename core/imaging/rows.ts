import type { InstanceId } from '@perennial/schemas/platform/ids.ts';
import type { ImagingIdentity, ImagingInstance, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { Inspection } from './inspect.ts';
import type { InstanceRow, NewStudy, StudyRow } from './store.ts';

/*
 * Studies and files: what is stored of them, and what is answered.
 */

/** Who the file says that it is of, and whether its picture may say so. */
export function identityOf({ dicom, burnedIn }: Inspection): ImagingIdentity {
  return {
    patient_tags: (dicom?.identifyingTags ?? []).map(({ tag, keyword, value }) => ({ tag, keyword, value })),
    identity_removed: dicom?.isIdentityRemoved ?? false,
    burned_in_text: {
      suspected: burnedIn.reasons.length > 0,
      declared: burnedIn.tag,
      text_lines: burnedIn.textLines,
      reasons: [...burnedIn.reasons],
      cleaned: burnedIn.isCleaned,
    },
  };
}

/** The study that a file begins. */
export function studyOf(
  given: Pick<NewStudy, 'id' | 'accountId' | 'patientId' | 'description' | 'copiedFrom'>,
  inspection: Inspection,
  now: Date,
): NewStudy {
  const { dicom } = inspection;
  const { id, accountId, patientId, description, copiedFrom } = given;
  return {
    id,
    accountId,
    patientId,
    description,
    copiedFrom,
    source: inspection.source,
    studyUid: dicom?.uids?.study ?? null,
    modality: dicom?.modality ?? null,
    bodyPart: dicom?.bodyPart ?? null,
    view: dicom?.view ?? null,
    laterality: dicom?.laterality ?? null,
    studyDescription: dicom?.studyDescription ?? null,
    studyDate: dicom?.studyDate ?? null,
    studyTime: dicom?.studyTime ?? null,
    dicomStudyId: dicom?.studyId ?? null,
    accessionNumber: dicom?.accessionNumber ?? null,
    dicomPatientName: dicom?.patientName ?? null,
    dicomPatientId: dicom?.patientId ?? null,
    patientBirthDate: dicom?.patientBirthDate ?? null,
    patientSex: dicom?.patientSex ?? null,
    referringPhysician: dicom?.referringPhysician ?? null,
    identity: identityOf(inspection),
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** A file of a study. */
export function instanceOf(
  study: Pick<StudyRow, 'id' | 'accountId'>,
  kept: { readonly id: InstanceId; readonly size: number; readonly sha256: string },
  inspection: Inspection,
  now: Date,
): InstanceRow {
  const { source, width, height, frames, bitsStored, photometricInterpretation, transferSyntaxUid } = inspection;
  const { isLossy, pixelSpacingMm, window, dicom } = inspection;
  return {
    id: kept.id,
    accountId: study.accountId,
    studyId: study.id,
    mediaType: source === 'dicom' ? 'application/dicom' : `image/${source}`,
    sizeBytes: kept.size,
    sha256: kept.sha256,
    width,
    height,
    frames,
    bitsStored,
    photometricInterpretation,
    transferSyntaxUid,
    isLossy,
    pixelSpacingMm,
    window,
    modality: dicom?.modality ?? null,
    seriesNumber: dicom?.seriesNumber ?? null,
    instanceNumber: dicom?.instanceNumber ?? null,
    seriesUid: dicom?.uids?.series ?? null,
    instanceUid: dicom?.uids?.instance ?? null,
    sopClassUid: dicom?.uids?.sopClass ?? null,
    seriesDescription: dicom?.seriesDescription ?? null,
    seriesDate: dicom?.seriesDate ?? null,
    seriesTime: dicom?.seriesTime ?? null,
    performedDate: dicom?.performedDate ?? null,
    performedTime: dicom?.performedTime ?? null,
    createdAt: now,
  };
}

/** The study as answered. Every key is there, in the contract's order. */
export function toStudy(row: StudyRow): ImagingStudy {
  return {
    id: row.id,
    patient_id: row.patientId,
    description: row.description,
    source: row.source,
    modality: row.modality,
    body_part: row.bodyPart,
    view: row.view,
    laterality: row.laterality,
    study_description: row.studyDescription,
    study_date: row.studyDate === null ? null : row.studyDate.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
    study_instance_uid: row.studyUid,
    instance_count: row.instanceCount,
    size: row.sizeBytes,
    identity: inOrder(row.identity),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The members in the contract's order, which the database does not keep. */
function inOrder({ patient_tags, identity_removed, burned_in_text: text }: ImagingIdentity): ImagingIdentity {
  // What was stored before it was known had nothing blanked.
  const { suspected, declared, text_lines, reasons, cleaned = false } = text;
  return {
    patient_tags: patient_tags.map(({ tag, keyword, value }) => ({ tag, keyword, value })),
    identity_removed,
    burned_in_text: { suspected, declared, text_lines, reasons, cleaned },
  };
}

/** The file as answered. */
export function toInstance(row: InstanceRow): ImagingInstance {
  const spacing = row.pixelSpacingMm;
  return {
    id: row.id,
    study_id: row.studyId,
    media_type: row.mediaType,
    size: row.sizeBytes,
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    frames: row.frames,
    bits_stored: row.bitsStored,
    photometric_interpretation: row.photometricInterpretation,
    transfer_syntax_uid: row.transferSyntaxUid,
    lossy: row.isLossy,
    pixel_spacing_mm: spacing === null ? null : { row: spacing[0], column: spacing[1] },
    window: row.window === null ? null : { center: row.window.center, width: row.window.width },
    modality: row.modality,
    series_number: row.seriesNumber,
    instance_number: row.instanceNumber,
    series_instance_uid: row.seriesUid,
    sop_instance_uid: row.instanceUid,
    sop_class_uid: row.sopClassUid,
    created_at: row.createdAt.toISOString(),
  };
}
