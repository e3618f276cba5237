import { get, type OperationRequests, send } from './words.ts';

/*
 * What imaging answers without an image: golden requests are text, and no image is. What it answers with one is tested
 * under tests/core/imaging and tests/e2e/imaging.
 */

const all = '/imaging/studies';
const none = `${all}/img_00000000000000000000`;
const uid = '1.2.840.99999.1';
const web = '/dicomweb/studies';
const instance = `${web}/${uid}/series/${uid}.1/instances/${uid}.1.1`;
const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=b' } };
const related = { headers: { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' } };
const raw = { headers: { 'content-type': 'application/dicom' } };
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nno image\r\n--b--\r\n';
const part = '--b\r\nContent-Type: application/dicom\r\n\r\nno image\r\n--b--\r\n';
/** The first bytes of a DICOM file and nothing after them. */
const cut = `${'\u0000'.repeat(128)}DICM`;

export const imagingRequests: readonly OperationRequests[] = [
  {
    operation: 'imaging.studies.list',
    requests: () => [
      get('of an account without studies', all),
      get('of a patient, counted', `${all}?patient_id={patient}&include_total=true`),
      get('wrong values', `${all}?sort=identity&limit=0&modality=`),
    ],
  },
  {
    operation: 'imaging.studies.create',
    requests: () => [
      send('POST', 'of a file that is no image', all, file, multipart),
      send('POST', 'of a body that is no image', all, 'no image', raw),
      send('POST', 'of a DICOM file that is cut', all, cut, raw),
      send('POST', 'without a file', all, '--b--\r\n', multipart),
      send('POST', 'that is JSON', all, {}),
    ],
  },
  { operation: 'imaging.studies.get', requests: () => [get('one that there is not', none)] },
  {
    operation: 'imaging.studies.update',
    requests: () => [
      send('PATCH', 'of one that there is not', none, { description: 'x' }),
      send('PATCH', 'of what cannot be changed', none, { modality: 3, colour: 'red', description: 5 }),
    ],
  },
  { operation: 'imaging.studies.delete', requests: () => [send('DELETE', 'one that there is not', none)] },
  {
    operation: 'imaging.studies.deidentify',
    requests: () => [send('POST', 'one that there is not', `${none}/deidentify`)],
  },
  {
    operation: 'imaging.studies.preview',
    requests: () => [
      get('of one that there is not', `${none}/preview`),
      get('wrong values', `${none}/preview?frame=0&size=9&window_width=0&window_function=square`),
      get('as a page', `${none}/preview`, { headers: { accept: 'text/html' } }),
    ],
  },
  {
    operation: 'imaging.studies.thumbnail',
    requests: () => [
      get('of one that there is not', `${none}/thumbnail`),
      get('wrong values', `${none}/thumbnail?frame=x`),
    ],
  },
  {
    operation: 'imaging.studies.analyze',
    requests: () => [
      send('POST', 'one that there is not', `${none}/analyze`, {}),
      send('POST', 'with what it does not take', `${none}/analyze`, {
        frame: 0,
        context: { view: 'UP' },
        colour: 'red',
      }),
    ],
  },
  { operation: 'imaging.instances.list', requests: () => [get('of one that there is not', `${none}/instances`)] },
  {
    operation: 'imaging.instances.download',
    requests: () => [get('of one that there is not', `${none}/instances/imi_00000000000000000000/content`)],
  },
  { operation: 'imaging.results.list', requests: () => [get('of one that there is not', `${none}/results`)] },
  {
    operation: 'imaging.results.get',
    requests: () => [get('of one that there is not', `${none}/results/diag_00000000000000000000`)],
  },
  {
    operation: 'dicomweb.studies.search',
    requests: () => [
      get('of an account without studies', web),
      get('wrong values', `${web}?StudyDate=yesterday&limit=0`),
      get('as a picture', web, { headers: { accept: 'image/png' } }),
    ],
  },
  {
    operation: 'dicomweb.studies.store',
    requests: () => [
      send('POST', 'of a part that is no image', web, part, related),
      send('POST', 'without a part', web, '--b--\r\n', related),
      send('POST', 'of another media type', web, file, multipart),
    ],
  },
  {
    operation: 'dicomweb.studies.store_into',
    requests: () => [send('POST', 'of a part that is no image', `${web}/${uid}`, part, related)],
  },
  {
    operation: 'dicomweb.studies.metadata',
    requests: () => [get('of one that there is not', `${web}/${uid}/metadata`)],
  },
  { operation: 'dicomweb.instances.retrieve', requests: () => [get('one that there is not', instance)] },
  {
    operation: 'dicomweb.instances.metadata',
    requests: () => [get('of one that there is not', `${instance}/metadata`)],
  },
  {
    operation: 'dicomweb.instances.rendered',
    requests: () => [
      get('of one that there is not', `${instance}/rendered`),
      get('wrong values', `${instance}/rendered?window=wide&viewport=1`),
    ],
  },
  { operation: 'dicomweb.frames.retrieve', requests: () => [get('of one that there is not', `${instance}/frames/1`)] },
];
