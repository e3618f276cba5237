import Type, { type Static } from 'typebox';
import { identifier, optionalText, serverSet, stamp } from '../fields.ts';

/** A file that belongs to a medical record. */
export const Attachment = Type.Object(
  {
    id: identifier('att', 'Attachment identifier.'),
    record_id: identifier('rec', 'The record it belongs to.'),
    file_name: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^/\\\\\\u0000-\\u001f\\u007f]+$',
      description: 'Name of the file, without a folder.',
      examples: ['chest x-ray.dcm'],
    }),
    description: optionalText(1000, { description: 'What it shows.', examples: ['Chest, posteroanterior'] }),
    media_type: serverSet(
      Type.String({
        readOnly: true,
        description: 'Media type, found out from the content.',
        examples: ['application/dicom'],
      }),
    ),
    size: serverSet(Type.Integer({ minimum: 0, readOnly: true, description: 'Size in bytes.' })),
    sha256: serverSet(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        readOnly: true,
        description: 'SHA-256 of the content, in hexadecimal.',
        examples: ['715a44cf4dd6350e3b7d8ec775c36b8000450e1b5387cf672d1a1dfa82c54cc3'],
      }),
    ),
    created_at: stamp('When it was uploaded.'),
    updated_at: stamp('When its name or description was last changed.'),
  },
  { $id: 'Attachment', title: 'Attachment', description: 'A file that belongs to a medical record.' },
);
/** A file that belongs to a medical record. */
export type Attachment = Static<typeof Attachment>;

/** The parts of an upload (multipart/form-data). */
export const AttachmentUpload = Type.Object(
  {
    description: Type.Optional(optionalText(1000, { description: 'What it shows. Comes before the file.' })),
    file: Type.String({
      format: 'binary',
      description: 'The file, with its name and media type; the last part.',
    }),
  },
  {
    $id: 'AttachmentUpload',
    title: 'AttachmentUpload',
    description: 'The parts of an upload.',
    additionalProperties: false,
  },
);

/** Every resource of this file. */
export const attachmentResources = { Attachment, AttachmentUpload } as const;
