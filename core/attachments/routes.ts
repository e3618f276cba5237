import { download } from '../http/download.ts';
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
