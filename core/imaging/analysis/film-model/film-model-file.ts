import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ModelFault } from '../model/model-file.ts';

/** Turns a score into a probability: 1 / (1 + exp(-(slope × score + offset))), fitted on films of patients kept apart. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** One network of the model. */
interface Network {
  readonly file: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** Width and height of the input, in pixels. */
  readonly side: number;
}

/** What the training writes beside the networks: `tests/training/imaging/export.py`. */
export interface FilmModelMetadata {
  readonly version: string;
  readonly recogniser: Network & {
    readonly calibration: Calibration;
    /** From this probability on a picture of which nothing is known is a frontal chest film. */
    readonly threshold: number;
    /** The same where a header says that it shows a chest. */
    readonly thresholdWithHeader: number;
  };
  readonly judge: Network & {
    /** For the opacity, by whom the film is of. */
    readonly calibration: { readonly child: Calibration; readonly adult: Calibration };
    /** Films farther than this from those learnt on, in the space of the features, are not judged. */
    readonly distanceMax: number;
    /** A cell of the map belongs to the place when its score is at least this share of the way from the mean to the highest. */
    readonly placeShare: number;
  };
}

/** The model that ships with the service. */
export interface FilmModelFile {
  readonly metadata: FilmModelMetadata;
  readonly recogniser: Uint8Array;
  readonly judge: Uint8Array;
}

const number = { type: 'number' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

function closed(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const network = {
  file: { type: 'string', pattern: '^[a-z-]+\\.onnx$' },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  side: { type: 'integer', minimum: 16, maximum: 1024 },
} as const;
const calibration = closed({ slope: number, offset: number });

const isMetadata = new Ajv2020().compile<FilmModelMetadata>(
  closed({
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    recogniser: closed({ ...network, calibration, threshold: share, thresholdWithHeader: share }),
    judge: closed({
      ...network,
      calibration: closed({ child: calibration, adult: calibration }),
      distanceMax: { type: 'number', exclusiveMinimum: 0 },
      placeShare: share,
    }),
  }),
);

/**
 * Reads the model that ships with the service, and checks its files against its metadata.
 * @throws ModelFault when a file is missing, malformed, or another than the metadata says.
 */
export async function readFilmModel(folder: URL = new URL('./weights/', import.meta.url)): Promise<FilmModelFile> {
  const read = (name: string): Promise<Buffer> =>
    readFile(new URL(name, folder)).catch((error: unknown) => {
      throw new ModelFault(`${name} of the model for chest films cannot be read`, { cause: error });
    });
  const metadata = parsed((await read('model.json')).toString('utf8'));
  const { recogniser, judge } = metadata;
  const [first, second] = await Promise.all([read(recogniser.file), read(judge.file)]);
  for (const [bytes, { file, sha256 }] of [
    [first, recogniser],
    [second, judge],
  ] as const)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new ModelFault(`${file} is not the file that model.json describes: its checksum differs`);
  return { metadata, recogniser: first, judge: second };
}

function parsed(text: string): FilmModelMetadata {
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch (error) {
    throw new ModelFault('model.json of the model for chest films is malformed', { cause: error });
  }
  if (isMetadata(metadata)) return metadata;
  const fault = isMetadata.errors?.[0];
  throw new ModelFault(`model.json is malformed at ${fault?.instancePath || '/'}: ${fault?.message ?? 'unknown'}`);
}
