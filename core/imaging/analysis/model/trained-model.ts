import type { ImagingAnalyzer, ImagingFinding } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../../image.ts';
import { calibratedConfidence } from '../confidence.ts';
import { measure } from '../measure.ts';
import { shrunk } from '../raster.ts';
import { ModelFault, type ModelFile, type ModelMetadata } from './model-file.ts';
import { openSession } from './session.ts';

/** A model that is loaded and can be asked. */
export interface TrainedModel {
  readonly about: ImagingAnalyzer;
  readonly limits: readonly string[];
  fits(context: StudyContext): boolean;
  /** What it finds from its thresholds on; places are not known unless the model gives them. */
  run(image: GrayImage): Promise<readonly ImagingFinding[]>;
  close(): Promise<void>;
}

/** Names of conditions by id, for the links; unknown ids stop the start. */
export type ConditionNames = ReadonlyMap<string, { readonly name: string; readonly icd10: readonly string[] }>;

/**
 * Loads a model that was given to the service.
 * @throws ModelFault when the file is no model, or inputs, outputs or conditions differ from what the metadata says.
 */
export async function loadModel({ metadata, bytes }: ModelFile, conditions: ConditionNames): Promise<TrainedModel> {
  const session = await openSession(metadata.id, bytes);
  const { input, output } = metadata;
  if (!session.inputNames.includes(input.name)) throw new ModelFault(`${metadata.id}: there is no input ${input.name}`);
  if (!session.outputNames.includes(output.name))
    throw new ModelFault(`${metadata.id}: there is no output ${output.name}`);
  for (const id of output.findings.flatMap(({ conditionIds }) => conditionIds))
    if (!conditions.has(id)) throw new ModelFault(`${metadata.id}: the knowledge base has no condition ${id}`);
  return {
    about: {
      id: metadata.id,
      name: metadata.name,
      version: metadata.version,
      kind: 'trained_model',
      sha256: metadata.sha256,
    },
    limits: metadata.limits,
    fits: (context) => isFor(metadata, context),
    run: async (image) => {
      const results = await session.run(input.name, inputOf(image, metadata), input.height, input.width);
      const values = results.get(output.name);
      if (values?.length !== output.findings.length)
        throw new ModelFault(`${metadata.id}: it gave other results than its metadata says`);
      return findingsOf(values, metadata, conditions);
    },
    close: () => session.close(),
  };
}

function isFor({ modalities, bodyParts, views }: ModelMetadata, { modality, bodyPart, view }: StudyContext): boolean {
  const has = (list: readonly string[], value: string | undefined): boolean =>
    value !== undefined && list.some((each) => each.toUpperCase() === value.trim().toUpperCase());
  return has(modalities, modality) && has(bodyParts, bodyPart) && (views.length === 0 || has(views, view));
}

/** The picture as the model wants it: brought to its size without regard to proportions, and to its tones. */
export function inputOf(image: GrayImage, { input }: ModelMetadata): Float32Array {
  const source = { width: image.width, height: image.height, data: image.pixels };
  const longest = 2 * Math.max(input.width, input.height);
  const { small } = shrunk(source, longest);
  const range = Math.max(image.maximum - image.minimum, Number.MIN_VALUE);
  const values = new Float32Array(input.width * input.height);
  for (let y = 0; y < input.height; y++)
    for (let x = 0; x < input.width; x++) {
      const tone = meanOver(
        small,
        (x * small.width) / input.width,
        ((x + 1) * small.width) / input.width,
        (y * small.height) / input.height,
        ((y + 1) * small.height) / input.height,
      );
      values[y * input.width + x] = ((tone - image.minimum) / range - input.mean) / input.deviation;
    }
  return values;
}

function meanOver(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Float32Array },
  left: number,
  right: number,
  top: number,
  bottom: number,
): number {
  const x0 = Math.min(width - 1, Math.floor(left));
  const y0 = Math.min(height - 1, Math.floor(top));
  const x1 = Math.max(x0 + 1, Math.min(width, Math.round(right)));
  const y1 = Math.max(y0 + 1, Math.min(height, Math.round(bottom)));
  let sum = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) sum += data[y * width + x]!;
  return sum / ((x1 - x0) * (y1 - y0));
}

function findingsOf(values: Float32Array, { output }: ModelMetadata, conditions: ConditionNames): ImagingFinding[] {
  return output.findings.flatMap(({ code, name, threshold, conditionIds }, index) => {
    const raw = values[index]!;
    const probability = output.activation === 'sigmoid' ? 1 / (1 + Math.exp(-raw)) : raw;
    if (!(probability >= threshold)) return [];
    const finding: ImagingFinding = {
      code,
      category: 'other',
      name,
      text: `A trained model gives ${name} a score above its threshold.`,
      side: null,
      zone: null,
      region: null,
      confidence: calibratedConfidence(probability, { weak_evidence: 0.5, close_alternatives: 0.3 }),
      doubts: ['The model does not say where in the image, nor why.'],
      measures: [
        measure({
          code: 'model_score',
          name: 'Score of the model',
          value: probability,
          unit: '1',
          usualHigh: threshold,
          method: 'Output of the model, as its makers calibrated it.',
        }),
      ],
      conditions: conditionIds.map((id) => ({
        condition_id: id,
        name: conditions.get(id)!.name,
        icd10: [...conditions.get(id)!.icd10],
        relation: 'The model was made to find signs of it.',
      })),
    };
    return [finding];
  });
}
