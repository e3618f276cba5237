import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import { StorageFull } from '../attachments/blob-store.ts';
import { ContentTooLarge } from '../attachments/content.ts';
import { ImageFault } from './image-fault.ts';

/** What the caller is told of a failure with an image. */
export function toImagingFault(error: unknown): unknown {
  if (error instanceof ContentTooLarge) return new Fault('body_too_large');
  if (error instanceof StorageFull) return new Fault('storage_full', { cause: error });
  if (!(error instanceof ImageFault)) return error;
  const { kind, message } = error;
  switch (kind) {
    case 'not_an_image':
    case 'unsupported':
      return new Fault('media_type_unsupported', { message, cause: error });
    case 'unreadable':
      return new Fault('image_unreadable', { message, cause: error });
    case 'too_large':
      return new Fault('image_too_large', { message, cause: error });
    case 'no_value':
      return new Fault('not_found', { cause: error });
    case 'no_frame':
      return invalidParameter('frame', 'too_large');
  }
}
