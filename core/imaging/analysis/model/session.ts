import type { InferenceSession } from 'onnxruntime-web';
import { ModelFault } from './model-file.ts';

/** What every build of ONNX Runtime for JavaScript has in common. */
export type OnnxRuntime = Pick<typeof import('onnxruntime-web'), 'env' | 'InferenceSession' | 'Tensor'>;

/** A model that can be run. */
export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** @param values of one picture of one channel, by rows. */
  run(input: string, values: Float32Array, height: number, width: number): Promise<ReadonlyMap<string, Float32Array>>;
  close(): Promise<void>;
}

/**
 * Opens a model in ONNX Runtime's WebAssembly backend, inside this process and on one thread. The runtime is imported
 * here and nowhere else: threads that only show pictures never load it.
 * @param name stands in the messages.
 * @throws ModelFault when the file is no model.
 */
export async function openSession(name: string, bytes: Uint8Array): Promise<Session> {
  const { env, InferenceSession, Tensor }: OnnxRuntime = await import('onnxruntime-web/wasm');
  env.wasm.numThreads = 1;
  const session: InferenceSession = await InferenceSession.create(bytes, { executionProviders: ['wasm'] }).catch(
    (error: unknown) => {
      throw new ModelFault(`${name}: the file is not a model that can be run`, { cause: error });
    },
  );
  return {
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    run: async (input, values, height, width) => {
      const results = await session.run({ [input]: new Tensor('float32', values, [1, 1, height, width]) });
      const numbers = new Map<string, Float32Array>();
      for (const [output, { data }] of Object.entries(results))
        if (data instanceof Float32Array) numbers.set(output, data);
      return numbers;
    },
    close: () => session.release(),
  };
}
