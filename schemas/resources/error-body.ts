import Type, { type Static } from 'typebox';
import { detailCodes, errorCodes } from '../errors.ts';

/** One fault in what the client sent. Exactly one of pointer, parameter and header says where. */
export const ErrorDetail = Type.Object(
  {
    code: Type.Unsafe<string>({
      type: 'string',
      enum: detailCodes,
      'x-open': true,
      description: 'Stable code of the fault.',
    }),
    message: Type.String({ description: 'What is wrong, in words; may change without a new version.' }),
    pointer: Type.Optional(
      Type.String({ description: 'RFC 6901 pointer into the body that was sent.', examples: ['/contact_info/email'] }),
    ),
    parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter.' })),
    header: Type.Optional(Type.String({ description: 'Name of the header.' })),
  },
  { $id: 'ErrorDetail', title: 'ErrorDetail', description: 'One fault in what the client sent.' },
);

/** What stands in place of `data` when a request fails. */
export const ErrorBody = Type.Object(
  {
    code: Type.Unsafe<string>({
      type: 'string',
      enum: errorCodes,
      'x-open': true,
      description: 'Stable code of the error; see the list of error codes.',
    }),
    message: Type.String({ description: 'What went wrong and what to do; may change without a new version.' }),
    details: Type.Array(Type.Unsafe<Static<typeof ErrorDetail>>({ $ref: 'ErrorDetail' }), {
      maxItems: 100,
      description: 'Each fault with its place; empty when the error is not about a place.',
    }),
    documentation_url: Type.String({ format: 'uri-reference', description: 'Where the code is explained.' }),
    supported_versions: Type.Optional(
      Type.Array(Type.String(), { description: 'On errors about the version: the versions that can be called.' }),
    ),
    available_from: Type.Optional(
      Type.String({ description: 'On operation_not_in_version: the first version that has the operation.' }),
    ),
    change: Type.Optional(Type.String({ description: 'On translation_failed: the change that failed.' })),
    committed: Type.Optional(
      Type.Boolean({ description: 'On translation_failed: whether the write was carried out before the failure.' }),
    ),
    resource_id: Type.Optional(
      Type.String({ description: 'On translation_failed after a write: the object that was written.' }),
    ),
  },
  { $id: 'ErrorBody', title: 'ErrorBody', description: 'Why a request failed.' },
);

/** An error as core answers it. */
export type ErrorBody = Static<typeof ErrorBody>;
/** One entry of `details`. */
export type ErrorDetail = Static<typeof ErrorDetail>;
