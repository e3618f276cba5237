import type { IncomingMessage } from 'node:http';
import { type BodyLimits, checkMediaType, hasBody, readBytes } from '@perennial/schemas/platform/http/body.ts';
import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { unstorableText } from '@perennial/schemas/platform/http/text.ts';
import { type JsonObject, type JsonSchema, notNull, typesOf } from '@perennial/schemas/platform/json-schema.ts';

/** A form of fields, as browsers send it (WHATWG URL Standard, section 5). */
export const FORM = 'application/x-www-form-urlencoded';

/** Most fields of a form: no body has a tenth of it. */
const FIELDS_MAX = 1000;

/**
 * Reads a form as the object that its schema says: numbers and truth values as such, a field that is given more than
 * once as a list. What cannot be read as its type stays text, which the schema then refuses.
 * @throws {Fault} 400, 413, 415 or 422.
 */
export async function readFormBody(
  request: IncomingMessage,
  schema: JsonSchema | undefined,
  limits: BodyLimits,
): Promise<JsonObject> {
  if (!hasBody(request)) throw new Fault('body_malformed', { message: 'A form is required.' });
  checkMediaType(request.headers['content-type'], [FORM]);
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Fault('media_type_unsupported', { message: 'A form is not accepted compressed.' });
  const fields = new URLSearchParams((await readBytes(request, limits.bodyBytesMax)).toString('utf8'));
  if (fields.size > FIELDS_MAX) throw new Fault('body_malformed', { message: 'The form has too many fields.' });
  const entries = [...new Set(fields.keys())].map((name) => {
    const member = schema?.properties?.[name];
    const values = fields.getAll(name);
    if (member && typesOf(notNull(member)).includes('array'))
      return [name, values.map((each) => typed(each, member.items))];
    // One value where several were given would be a guess.
    return [name, values.length > 1 ? values : typed(values[0] as string, member)];
  });
  // fromEntries defines members, so a field such as __proto__ stays data.
  const body = Object.fromEntries(entries) as JsonObject;
  const faults = unstorableText(body);
  if (faults.length > 0) throw invalid(faults);
  return body;
}

function typed(text: string, schema: JsonSchema | undefined): unknown {
  const types = schema ? typesOf(schema) : [];
  if (text === '' && types.includes('null')) return null;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (types.includes('integer') || types.includes('number')) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  return isNumber ? Number(text) : text;
}
