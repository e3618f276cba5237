import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import { download } from '../platform/http/download.ts';
import type { DataOutcome, HandlersFor, WithParams } from '../platform/http/handler.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { toAttachment } from './attachment.ts';
import type { AttachmentService } from './service.ts';
import type { AttachmentRow, RecordPlace } from './store.ts';

type AttachmentOperationId = Extract<OperationId, `attachments.${string}`>;

/** The operations on attachments. @param secret signs the cursors; the gateway shares it. */
export function attachmentHandlers(
  attachments: AttachmentService,
  secret: SharedSecret,
): HandlersFor<AttachmentOperationId> {
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
      outcome(await attachments.get(context.caller.accountId, placeOf(context), context.params.attachment_id)),
    'attachments.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(
        await attachments.update(caller.accountId, placeOf(context), context.params.attachment_id, body, conditions),
      );
    },
    'attachments.delete': async (context) => {
      await attachments.remove(
        context.caller.accountId,
        placeOf(context),
        context.params.attachment_id,
        context.conditions,
      );
      return {};
    },
    'attachments.download': async (context) => {
      const row = await attachments.get(context.caller.accountId, placeOf(context), context.params.attachment_id);
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

function placeOf({ params }: WithParams<'patient_id' | 'record_id'>): RecordPlace {
  return { patientId: params.patient_id, recordId: params.record_id };
}

function outcome(row: AttachmentRow): DataOutcome<Attachment> {
  return { data: toAttachment(row), revision: row.revision };
}
