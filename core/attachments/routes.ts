import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '@perennial/schemas/http/fault.ts';
import { create as contentDisposition } from 'content-disposition';
import type { Context, Handlers, Outcome } from '../http/operations.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { toAttachment } from './attachment.ts';
import type { AttachmentPatch, AttachmentService } from './service.ts';
import type { AttachmentRow, RecordPlace } from './store.ts';

/** The operations on attachments. @param secret signs the cursors; the gateway shares it. */
export function attachmentHandlers(attachments: AttachmentService, secret: string): Handlers {
  return {
    'attachments.list': async (context) => {
      const data = await answerPage(
        context,
        secret,
        order,
        (request) => attachments.list(context.caller.accountId, placeOf(context), request),
        toAttachment,
      );
      return { data };
    },
    'attachments.create': async (context) => {
      const { caller, request, payload } = context;
      const row = await attachments.create(caller.accountId, placeOf(context), request, payload);
      const { patientId, recordId } = row;
      const location = `/patients/${patientId}/records/${recordId}/attachments/${row.id}`;
      return { ...outcome(row), headers: { location } };
    },
    'attachments.get': async (context) =>
      outcome(await attachments.get(context.caller.accountId, placeOf(context), idOf(context))),
    'attachments.update': async (context) => {
      const { caller, body, conditions } = context;
      const patch = body as AttachmentPatch;
      return outcome(await attachments.update(caller.accountId, placeOf(context), idOf(context), patch, conditions));
    },
    'attachments.delete': async (context) => {
      await attachments.remove(context.caller.accountId, placeOf(context), idOf(context), context.conditions);
      return {};
    },
    'attachments.download': async (context) => {
      const row = await attachments.get(context.caller.accountId, placeOf(context), idOf(context));
      return download(row, context.request.headers, (range) => attachments.open(row, range));
    },
  };
}

type Range = { readonly start: number; readonly end: number };

/** The whole, a part, or that nothing has changed: RFC 9110, sections 13 and 14. */
function download(
  row: AttachmentRow,
  headers: IncomingHttpHeaders,
  open: (range?: Range) => ReturnType<AttachmentService['open']>,
): Outcome {
  // Strong, and the same in every version: it names the bytes.
  const etag = `"${row.sha256}"`;
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-range': ifRange, range: asked } = headers;
  if (match !== undefined && !names(match, etag)) throw new Fault('precondition_failed');
  const common = {
    etag,
    'accept-ranges': 'bytes',
    'repr-digest': `sha-256=:${Buffer.from(row.sha256, 'hex').toString('base64')}:`,
  };
  if (noneMatch !== undefined && names(noneMatch, etag)) return { status: 304, headers: common };
  const whole = {
    ...common,
    'content-type': row.mediaType.startsWith('text/') ? `${row.mediaType}; charset=utf-8` : row.mediaType,
    'content-disposition': contentDisposition(row.fileName),
    // Whatever a file says, it is shown to nobody as a page of ours.
    'content-security-policy': "default-src 'none'; sandbox",
  };
  const size = row.sizeBytes;
  const range = ifRange === undefined || ifRange === etag ? readRange(asked, size) : undefined;
  if (range === 'outside') {
    throw new Fault('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } });
  }
  if (!range) {
    return { bytes: { status: 200, headers: { ...whole, 'content-length': String(size) }, open: () => open() } };
  }
  const { start, end } = range;
  const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) };
  return { bytes: { status: 206, headers: { ...whole, ...part }, open: () => open(range) } };
}

function names(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

/** One range of bytes. What is not one, or more than one, is answered with the whole, as the RFC allows. */
function readRange(header: string | undefined, size: number): Range | 'outside' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'outside' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
}

const order: Ordering<AttachmentRow> = {
  fields: {
    created_at: { column: 'a.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    file_name: { column: 'a.file_name', type: 'text', value: (row) => row.fileName },
    size: { column: 'a.size_bytes', type: 'double precision', value: (row) => row.sizeBytes },
    id: { column: 'a.id', type: 'text', value: (row) => row.id },
  },
  byDefault: 'created_at',
  unique: 'id',
};

function placeOf({ params }: Context): RecordPlace {
  return { patientId: params['patient_id'] as string, recordId: params['record_id'] as string };
}

function idOf({ params }: Context): string {
  return params['attachment_id'] as string;
}

function outcome(row: AttachmentRow): Outcome {
  return { data: toAttachment(row), revision: row.revision };
}
