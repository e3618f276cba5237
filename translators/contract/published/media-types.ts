import type { Operation } from '@perennial/schemas/operation.ts';

/*
 * What `*` stands for. Core decides by Accept what it sends, so the contract leaves the type open; generators and
 * viewers want to know which there are (DICOM PS3.18, sections 8.7, 10.4, 10.5, 10.6).
 */

const DICOM_JSON = 'application/dicom+json';
const RELATED_DICOM = 'multipart/related; type="application/dicom"';
const RELATED_BYTES = 'multipart/related; type="application/octet-stream"';
const PICTURES = ['image/jpeg', 'image/png'];

/** The media types that an operation answers where its contract says `*`; the first is what is sent unless asked. */
export function mediaTypesOf({ id, path }: Pick<Operation, 'id' | 'path'>): readonly string[] {
  if (id.endsWith('.download')) return ['application/octet-stream'];
  if (id === 'dicomweb.wado') return [...PICTURES, 'application/dicom'];
  if (/\.(?:search|metadata|store|store_into)$/.test(id)) return [DICOM_JSON];
  if (/\/(?:rendered|thumbnail)$/.test(path)) return PICTURES;
  if (id === 'dicomweb.frames.retrieve') return [RELATED_BYTES];
  if (id === 'dicomweb.instances.bulkdata') return [RELATED_BYTES, 'application/octet-stream'];
  if (id.endsWith('.retrieve')) return [RELATED_DICOM];
  return ['application/octet-stream'];
}
