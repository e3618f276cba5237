import { grayDicom } from '../../support/dicom.ts';
import { get, type OperationRequests, send } from './words.ts';

/*
 * One small image, written here, and what is no image. Results of analyses follow from models that are trained anew:
 * they are tested under tests/core/imaging and tests/e2e/imaging, and their refusals are here.
 */

const all = '/imaging/studies';
const none = `${all}/img_00000000000000000000`;
const one = `${all}/{created}`;
const uid = '1.2.840.99999.1';
const web = '/dicomweb/studies';
const instance = `${web}/${uid}/series/${uid}.1/instances/${uid}.1.1`;
const image = grayDicom(
  4,
  4,
  Array.from({ length: 16 }, (_, at) => at * 100),
);
const stored = `${web}/1.2.3.4`;
const storedInstance = `${stored}/series/1.2.3.4.1/instances/1.2.3.4.1.1`;
const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=b' } };
const related = { headers: { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' } };
const raw = { headers: { 'content-type': 'application/dicom' } };
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nno image\r\n--b--\r\n';
const part = '--b\r\nContent-Type: application/dicom\r\n\r\nno image\r\n--b--\r\n';
const past = { headers: { 'if-match': 'W/"0.x"' } };
/** Sent again, it answers with the study that is there. */
const given = send('POST', 'given: an image', all, undefined, {
  ...raw,
  bytes: image.toString('base64'),
  gives: { created: 'id' },
});
const parts = Buffer.concat([
  Buffer.from('--b\r\nContent-Type: application/dicom\r\n\r\n'),
  image,
  Buffer.from('\r\n--b--\r\n'),
]).toString('base64');
const json = { headers: { accept: 'application/dicom+json' } };
/** The first bytes of a DICOM file and nothing after them. */
const cut = `${'\u0000'.repeat(128)}DICM`;

export const imagingRequests: readonly OperationRequests[] = [
  {
    operation: 'imaging.studies.list',
    requests: () => [
      get('of an account without studies', all),
      given,
      get('by modality', `${all}?modality=CR&limit=1&sort=study_date`),
      get('of a patient, counted', `${all}?patient_id={patient}&include_total=true`),
      get('wrong values', `${all}?sort=identity&limit=0&modality=`),
    ],
  },
  {
    operation: 'imaging.studies.create',
    requests: () => [
      given,
      send('POST', 'of a file that is no image', all, file, multipart),
      send('POST', 'of a body that is no image', all, 'no image', raw),
      send('POST', 'of a DICOM file that is cut', all, cut, raw),
      send('POST', 'without a file', all, '--b--\r\n', multipart),
      send('POST', 'that is JSON', all, {}),
    ],
  },
  {
    operation: 'imaging.studies.get',
    requests: () => [
      given,
      get('the study', one),
      get('the same, not changed since', one, { headers: { 'if-none-match': '{etag}' } }),
      get('one that there is not', none),
    ],
  },
  {
    operation: 'imaging.studies.update',
    requests: () => [
      given,
      send('PATCH', 'of the patient and the description', one, { patient_id: '{patient}', description: 'Chest' }),
      send('PATCH', 'on condition of a state that is past', one, { description: 'x' }, past),
      send('PATCH', 'of one that there is not', none, { description: 'x' }),
      send('PATCH', 'of what cannot be changed', none, { modality: 3, colour: 'red', description: 5 }),
    ],
  },
  {
    operation: 'imaging.studies.deidentify',
    // A copy has new UIDs of any length, and so a size of its own.
    requests: () => [send('POST', 'one that there is not', `${none}/deidentify`)],
  },
  {
    operation: 'imaging.studies.preview',
    requests: () => [
      given,
      get('as it is', `${one}/preview`),
      get('in a window, inverted', `${one}/preview?window_center=700&window_width=400&invert=true`),
      get('of a frame that there is not', `${one}/preview?frame=2`),
      get('of one that there is not', `${none}/preview`),
      get('wrong values', `${none}/preview?frame=0&size=9&window_width=0&window_function=square`),
      get('as a page', `${none}/preview`, { headers: { accept: 'text/html' } }),
    ],
  },
  {
    operation: 'imaging.studies.thumbnail',
    requests: () => [
      given,
      get('of the study', `${one}/thumbnail`),
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
  {
    operation: 'imaging.instances.list',
    requests: () => [
      given,
      get('of the study', `${one}/instances?include_total=true&sort=instance_number`),
      get('wrong values', `${one}/instances?sort=bytes&limit=0`),
      get('of one that there is not', `${none}/instances`),
    ],
  },
  {
    operation: 'imaging.instances.download',
    requests: () => [
      given,
      get('given: its files', `${one}/instances`, { gives: { instance: 'items/0/id' } }),
      get('the whole', `${one}/instances/{instance}/content`),
      get('a part', `${one}/instances/{instance}/content`, { headers: { range: 'bytes=128-131' } }),
      get('a part beyond the end', `${one}/instances/{instance}/content`, { headers: { range: 'bytes=99999-' } }),
      get('of one that there is not', `${none}/instances/imi_00000000000000000000/content`),
    ],
  },
  {
    operation: 'imaging.results.list',
    requests: () => [
      given,
      get('none yet', `${one}/results?include_total=true`),
      get('of one that there is not', `${none}/results`),
    ],
  },
  {
    operation: 'imaging.results.get',
    requests: () => [get('of one that there is not', `${none}/results/diag_00000000000000000000`)],
  },
  {
    operation: 'imaging.results.picture',
    requests: () => [
      get('of one that there is not', `${none}/results/diag_00000000000000000000/picture`),
      get('wrong values', `${none}/results/diag_00000000000000000000/picture?size=9`),
    ],
  },
  {
    operation: 'imaging.studies.delete',
    requests: () => [
      given,
      send('DELETE', 'on condition of a state that is past', one, undefined, past),
      send('DELETE', 'of the study', one),
      get('it is no longer there', one),
      send('DELETE', 'one that there is not', none),
    ],
  },
  {
    operation: 'dicomweb.studies.store',
    requests: () => [
      send('POST', 'of an image', web, undefined, { headers: { ...related.headers, ...json.headers }, bytes: parts }),
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
    operation: 'dicomweb.studies.search',
    requests: () => [
      get('by modality', `${web}?ModalitiesInStudy=CR&StudyInstanceUID=1.2.3.4`, json),
      get('of nobody', `${web}?PatientID=nobody`),
      get('wrong values', `${web}?StudyDate=yesterday&limit=0`),
      get('as a picture', web, { headers: { accept: 'image/png' } }),
    ],
  },
  {
    operation: 'dicomweb.studies.metadata',
    requests: () => [
      get('of the study', `${stored}/metadata`, json),
      get('of one that there is not', `${web}/${uid}/metadata`),
    ],
  },
  {
    operation: 'dicomweb.instances.retrieve',
    requests: () => [
      get('as the file', storedInstance, { headers: { accept: 'application/dicom' } }),
      get('one that there is not', instance),
    ],
  },
  {
    operation: 'dicomweb.instances.metadata',
    requests: () => [
      get('of the image', `${storedInstance}/metadata`, json),
      get('of one that there is not', `${instance}/metadata`),
    ],
  },
  {
    operation: 'dicomweb.instances.rendered',
    requests: () => [
      get('as a PNG', `${storedInstance}/rendered?window=700,400,linear`, { headers: { accept: 'image/png' } }),
      get('of one that there is not', `${instance}/rendered`),
      get('wrong values', `${instance}/rendered?window=wide&viewport=1`),
    ],
  },
  {
    operation: 'dicomweb.studies.rendered',
    requests: () => [
      get('as a PNG', `${stored}/rendered`, { headers: { accept: 'image/png' } }),
      get('wrong values', `${stored}/rendered?quality=0&annotation=all`),
    ],
  },
  {
    operation: 'dicomweb.series.rendered',
    requests: () => [
      get('as a PNG', `${stored}/series/1.2.3.4.1/rendered`, { headers: { accept: 'image/png' } }),
      get('wrong values', `${stored}/series/1.2.3.4.1/rendered?quality=0&annotation=all`),
    ],
  },
  {
    operation: 'dicomweb.frames.rendered',
    requests: () => [
      get('as a PNG', `${storedInstance}/frames/1/rendered`, { headers: { accept: 'image/png' } }),
      get('wrong values', `${storedInstance}/frames/1/rendered?quality=0&annotation=all`),
    ],
  },
  {
    operation: 'dicomweb.studies.thumbnail',
    requests: () => [get('as a PNG', `${stored}/thumbnail`, { headers: { accept: 'image/png' } })],
  },
  {
    operation: 'dicomweb.series.thumbnail',
    requests: () => [get('as a PNG', `${stored}/series/1.2.3.4.1/thumbnail`, { headers: { accept: 'image/png' } })],
  },
  {
    operation: 'dicomweb.instances.thumbnail',
    requests: () => [get('as a PNG', `${storedInstance}/thumbnail`, { headers: { accept: 'image/png' } })],
  },
  {
    operation: 'dicomweb.frames.thumbnail',
    requests: () => [get('as a PNG', `${storedInstance}/frames/1/thumbnail`, { headers: { accept: 'image/png' } })],
  },
  {
    operation: 'dicomweb.instances.bulkdata',
    requests: () => [
      get('of a value', `${storedInstance}/bulkdata/00080060`, { headers: { accept: 'application/octet-stream' } }),
      get('of one that there is not', `${storedInstance}/bulkdata/00420011`),
    ],
  },
  {
    operation: 'dicomweb.wado',
    requests: () => [
      get(
        'as a PNG',
        '/dicomweb/wado?requestType=WADO&studyUID=1.2.3.4&seriesUID=1.2.3.4.1&objectUID=1.2.3.4.1.1&contentType=image/png',
      ),
      get('without what it needs', '/dicomweb/wado?requestType=WADO'),
    ],
  },
  {
    operation: 'dicomweb.frames.retrieve',
    requests: () => [
      get('a frame', `${storedInstance}/frames/1`, {
        headers: { accept: 'multipart/related; type="application/octet-stream"' },
      }),
      get('a frame that there is not', `${storedInstance}/frames/2`),
      get('of one that there is not', `${instance}/frames/1`),
    ],
  },
  {
    operation: 'dicomweb.series.search',
    requests: () => [
      get('by modality', '/dicomweb/series?Modality=CR&StudyInstanceUID=1.2.3.4', json),
      get('of a study that there is not', `/dicomweb/series?StudyInstanceUID=${uid}`),
      get('wrong values', '/dicomweb/series?limit=0&Color=red'),
    ],
  },
  {
    operation: 'dicomweb.studies.series.search',
    requests: () => [
      get('of the study', `${stored}/series`, json),
      get('of one that there is not', `${web}/${uid}/series`),
    ],
  },
  {
    operation: 'dicomweb.instances.search',
    requests: () => [
      get('by study', '/dicomweb/instances?StudyInstanceUID=1.2.3.4&SOPInstanceUID=1.2.3.4.1.1', json),
      get('wrong values', '/dicomweb/instances?offset=-1'),
    ],
  },
  {
    operation: 'dicomweb.studies.instances.search',
    requests: () => [
      get('of the study', `${stored}/instances`, json),
      get('of one that there is not', `${web}/${uid}/instances`),
    ],
  },
  {
    operation: 'dicomweb.series.instances.search',
    requests: () => [
      get('of the series', `${stored}/series/1.2.3.4.1/instances`, json),
      get('of one that there is not', `${stored}/series/${uid}/instances`),
    ],
  },
  {
    operation: 'dicomweb.studies.retrieve',
    requests: () => [get('of one that there is not', `${web}/${uid}`)],
  },
  {
    operation: 'dicomweb.series.retrieve',
    requests: () => [get('of one that there is not', `${stored}/series/${uid}`)],
  },
  {
    operation: 'dicomweb.series.metadata',
    requests: () => [
      get('of the series', `${stored}/series/1.2.3.4.1/metadata`, json),
      get('of one that there is not', `${stored}/series/${uid}/metadata`),
    ],
  },
];
