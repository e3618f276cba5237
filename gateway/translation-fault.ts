import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { TranslationFailed } from '@perennial/translators/engine/failures.ts';

/** A translator's failure as the client is told of it: which change failed, and nothing of what it was given. */
export function translationFault(failure: TranslationFailed): Fault {
  return new Fault('translation_failed', { cause: failure, members: changeOf(failure) });
}

/**
 * The failure to translate the answer to a write that was carried out: the client must not send it again.
 * @param resourceId the object that was written, where the answer names one.
 */
export function committedTranslationFault(failure: TranslationFailed, resourceId?: string): Fault {
  const written = resourceId === undefined ? {} : { resource_id: resourceId };
  const members = { ...changeOf(failure), committed: true, ...written };
  return new Fault('translation_failed', { cause: failure, members });
}

/** The change that failed, where one is to blame, as errors name it. */
export function changeOf({ change }: { readonly change: string | undefined }): { readonly change?: string } {
  return change === undefined ? {} : { change };
}
