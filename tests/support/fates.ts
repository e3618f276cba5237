import type { ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { TestCore } from './core.ts';

/**
 * What becomes of a file that is uploaded, looked at and described: `shown`, `refused` with a code, or `failed` with the
 * answer, which is never right.
 */
export async function fateOf(core: TestCore, body: Buffer): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' };
  const stored = await core.call<ImagingStudy>('POST', '/imaging/studies', { body, headers });
  if (stored.status >= 500) return `failed: upload ${stored.status} ${stored.text}`;
  if (stored.status >= 400) return `refused ${stored.error.code}`;
  const { id, study_instance_uid: uid } = stored.data;
  const asked = [`/imaging/studies/${id}/preview`, ...(uid === null ? [] : [`/dicomweb/studies/${uid}/metadata`])];
  const copy = await core.call<ImagingStudy>('POST', `/imaging/studies/${id}/deidentify?clean_pixels=true&dates=shift`);
  const statuses = [copy.status];
  for (const path of asked) statuses.push((await core.call('GET', path)).status);
  await core.call('DELETE', `/imaging/studies/${id}`);
  if (copy.status < 300) await core.call('DELETE', `/imaging/studies/${copy.data.id}`);
  return statuses.some((status) => status >= 500) ? `failed: ${statuses.join(' ')}` : 'shown';
}
