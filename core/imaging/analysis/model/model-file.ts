import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What lies beside a model file, as `<name>.json` beside `<name>.onnx`. */
export interface ModelMetadata {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the model file, in hexadecimal. */
  readonly sha256: string;
  /** For which studies it was made. */
  readonly modalities: readonly string[];
  readonly bodyParts: readonly string[];
  readonly views: readonly string[];
  readonly input: {
    readonly name: string;
    /** One channel, by rows. The picture is brought to this size by the mean over areas. */
    readonly width: number;
    readonly height: number;
    /** Tones are brought to 0 to 1 over the range of the image, then to (tone - mean) / deviation. */
    readonly mean: number;
    readonly deviation: number;
  };
  /** One number per finding, in this order. */
  readonly output: {
    readonly name: string;
    readonly activation: 'none' | 'sigmoid';
    readonly findings: readonly {
      readonly code: string;
      readonly name: string;
      /** From this probability on it is reported. */
      readonly threshold: number;
      readonly conditionIds: readonly string[];
    }[];
  };
  readonly limits: readonly string[];
}

/** A model file that is what its metadata says. */
export interface ModelFile {
  readonly metadata: ModelMetadata;
  readonly bytes: Uint8Array;
}

/** Raised when a model cannot be trusted or read; names the file and the reason. The service then does not start. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
}

/** Larger files are not read. */
const BYTES_MAX = 512 * 1024 * 1024;

const text = { type: 'string', minLength: 1, maxLength: 500 } as const;
const texts = { type: 'array', items: text, maxItems: 50 } as const;
const code = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' } as const;

function closed(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const isMetadata = new Ajv2020().compile<ModelMetadata>(
  closed({
    id: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' },
    name: text,
    version: text,
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    modalities: { ...texts, minItems: 1 },
    bodyParts: { ...texts, minItems: 1 },
    views: texts,
    input: closed({
      name: text,
      width: { type: 'integer', minimum: 1, maximum: 2048 },
      height: { type: 'integer', minimum: 1, maximum: 2048 },
      mean: { type: 'number' },
      deviation: { type: 'number', exclusiveMinimum: 0 },
    }),
    output: closed({
      name: text,
      activation: { enum: ['none', 'sigmoid'] },
      findings: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: closed({
          code,
          name: text,
          threshold: { type: 'number', minimum: 0, maximum: 1 },
          conditionIds: { type: 'array', items: code, maxItems: 20 },
        }),
      },
    }),
    limits: { ...texts, minItems: 1 },
  }),
);

/**
 * Reads a model and its metadata from the configured folder, and checks one against the other.
 * @param name file name without folder and ending.
 * @throws ModelFault when either is missing, too large, malformed, or the checksum differs.
 */
export async function readModel(folder: string, name: string): Promise<ModelFile> {
  if (path.basename(name) !== name) throw new ModelFault(`${name}: a model is named without a folder`);
  const file = path.join(folder, `${name}.onnx`);
  let metadata: unknown;
  try {
    metadata = JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8'));
  } catch (error) {
    throw new ModelFault(`${name}.json cannot be read`, { cause: error });
  }
  if (!isMetadata(metadata)) {
    const fault = isMetadata.errors?.[0];
    throw new ModelFault(`${name}.json is malformed at ${fault?.instancePath || '/'}: ${fault?.message ?? 'unknown'}`);
  }
  let bytes: Uint8Array;
  try {
    if ((await stat(file)).size > BYTES_MAX) throw new ModelFault(`${name}.onnx is larger than ${BYTES_MAX} bytes`);
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof ModelFault) throw error;
    throw new ModelFault(`${name}.onnx cannot be read`, { cause: error });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== metadata.sha256)
    throw new ModelFault(`${name}.onnx is not the file that ${name}.json describes: its checksum differs`);
  return { metadata, bytes };
}
