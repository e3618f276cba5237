import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import type { AttachmentRow } from './store.ts';

/** The attachment as answered. */
export function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    record_id: row.recordId,
    file_name: row.fileName,
    description: row.description,
    media_type: row.mediaType,
    size: row.sizeBytes,
    sha256: row.sha256,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
