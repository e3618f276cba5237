import { readdir } from 'node:fs/promises';
import { ModelFault, type ModelFile, readModel } from './model-file.ts';
import { type ConditionNames, loadModel, type TrainedModel } from './trained-model.ts';

/** Which models are loaded beside those of the service. Can be sent to another thread. */
export interface ModelSource {
  /** Holds `<name>.onnx` and `<name>.json` for each model, and nothing else that ends so. */
  readonly folder: string;
  readonly conditions: ConditionNames;
}

/** How many models one folder may have: each is asked about every image that it fits. */
const MODELS_MAX = 20;

/**
 * Reads every model of a folder, in the order of their names.
 * @throws ModelFault when the folder cannot be read or has none or too many, a file lacks its other half, two have the
 *   same id, or one cannot be trusted.
 */
export async function readModels(folder: string): Promise<readonly ModelFile[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    throw new ModelFault('the folder of models cannot be read', { cause: error });
  });
  const names = new Set(files.flatMap((file) => /^(.+)\.(?:onnx|json)$/.exec(file)?.[1] ?? []));
  if (names.size === 0) throw new ModelFault('the folder of models has no model');
  if (names.size > MODELS_MAX) throw new ModelFault(`the folder of models has more than ${MODELS_MAX}`);
  const models: ModelFile[] = [];
  for (const name of [...names].sort()) {
    const model = await readModel(folder, name);
    if (models.some(({ metadata }) => metadata.id === model.metadata.id))
      throw new ModelFault(`${name}: another model has the id ${model.metadata.id}`);
    models.push(model);
  }
  return models;
}

/** Loads every model of a folder, ready to be asked. @throws ModelFault as `readModels` and `loadModel` do. */
export async function loadModels({ folder, conditions }: ModelSource): Promise<readonly TrainedModel[]> {
  const models: TrainedModel[] = [];
  for (const file of await readModels(folder)) models.push(await loadModel(file, conditions));
  return models;
}
