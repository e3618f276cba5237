import { demoData } from '@perennial/prisma/demo/patients.ts';
import { DEMO_ACCOUNT_ID } from '@perennial/prisma/seed.ts';
import { get, type OperationRequests, send } from './words.ts';

/** The demo patient's first record: the seed makes the same one everywhere. */
const record = demoData(DEMO_ACCOUNT_ID, 1).records[0]?.id ?? '';
const all = `/patients/{patient}/records/${record}/attachments`;
const none = `${all}/att_00000000000000000000`;

const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=b' } };
const past = { headers: { 'if-match': 'W/"0.x"' } };

const part = (disposition: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string): string => part(`name="file"; filename="${name}"`, content);
const letter = `${part('name="description"', 'A letter')}${file('Brief für Zoë.txt', 'Dear colleague')}--b--\r\n`;
const given = send('POST', 'given: a letter', all, letter, multipart);

export const attachmentRequests: readonly OperationRequests[] = [
  {
    operation: 'attachments.list',
    requests: ({ byCursor }) => [
      get('of a record without files', `${all}?limit=1`),
      given,
      send('POST', 'given: a longer one', all, letter.replace('Dear colleague', 'Dear colleagues'), multipart),
      get('the first page', `${all}?limit=1&sort=-size`),
      ...(byCursor
        ? [get('the page after a cursor', `${all}?limit=1&sort=-size&cursor={cursor}`)]
        : [get('a page at an offset', `${all}?limit=1&offset=1&sort=-size`)]),
      get('wrong values', `${all}?sort=sha256`),
    ],
  },
  {
    operation: 'attachments.create',
    requests: () => [
      given,
      send('POST', 'of a type that is not kept', all, `${file('a', 'x\u0000')}--b--\r\n`, multipart),
      send('POST', 'without a file', all, `${part('name="colour"', 'red')}--b--\r\n`, multipart),
      send('POST', 'that is JSON', all, {}),
    ],
  },
  {
    operation: 'attachments.get',
    requests: () => [
      given,
      get('what is known of it', `${all}/{created}`),
      get('the same, not changed since', `${all}/{created}`, { headers: { 'if-none-match': '{etag}' } }),
      get('one that there is not', none),
    ],
  },
  {
    operation: 'attachments.update',
    requests: () => [
      given,
      send('PATCH', 'of the description', `${all}/{created}`, { description: null }),
      send('PATCH', 'of the name, to a path', `${all}/{created}`, { file_name: '../x' }),
      send('PATCH', 'on condition of a state that is past', `${all}/{created}`, { description: 'x' }, past),
      send('PATCH', 'of one that there is not', none, { description: 'x' }),
    ],
  },
  {
    operation: 'attachments.download',
    requests: () => [
      given,
      get('the whole', `${all}/{created}/content`),
      get('the same, not changed since', `${all}/{created}/content`, { headers: { 'if-none-match': '{etag}' } }),
      get('a part', `${all}/{created}/content`, { headers: { range: 'bytes=5-9' } }),
      get('a part beyond the end', `${all}/{created}/content`, { headers: { range: 'bytes=99-' } }),
      get('one that there is not', `${none}/content`),
    ],
  },
  {
    operation: 'attachments.delete',
    requests: () => [
      given,
      send('DELETE', 'on condition of a state that is past', `${all}/{created}`, undefined, past),
      send('DELETE', 'of the attachment', `${all}/{created}`),
      get('it is no longer there', `${all}/{created}`),
    ],
  },
];
