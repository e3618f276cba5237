import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { NotShown } from '@perennial/translators/engine/failures.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';

/**
 * An event that was written when `from` was head, in the version `to`. Nothing leads a document to a version that came
 * after it: where that gave the object another shape, the event goes without the object, and its identifiers remain.
 * @throws {TranslationFailed} when a change cannot translate the event.
 */
export function eventIn(translator: Translator, from: string, to: string, event: JsonObject): unknown {
  const { releases } = translator.catalogue;
  const levelOf = (release: string): number => releases.find(({ id }) => id === release)?.level ?? -1;
  const [older, newer] = [levelOf(from), levelOf(to)];
  if (newer <= older) return translator.document('Event', from, to, event);
  const members = translator.contract(from).resources.get('Event')?.discriminator?.mapping ?? {};
  const member = members[String(event['object_type'])];
  const isSame = member !== undefined && translator.runs({ older, newer }, member).length === 0;
  return isSame ? event : { ...event, data: null };
}

/** The same for what the operations on events answer: one of them, or a page. */
export function eventsIn(translator: Translator, from: string, to: string, data: unknown): unknown {
  if (!isObject(data)) return data;
  const { items } = data;
  if (!Array.isArray(items)) return eventIn(translator, from, to, data);
  return {
    ...data,
    items: items.flatMap((each) => {
      try {
        return [eventIn(translator, from, to, each as JsonObject)];
      } catch (error) {
        // An event of what the version does not have is none of its events.
        if (error instanceof NotShown) return [];
        throw error;
      }
    }),
  };
}
