import type { OnnxRuntime } from '@perennial/core/imaging/analysis/model/trained-model.ts';
import { type Backend, env, InferenceSession, registerBackend, Tensor } from 'onnxruntime-common';

/**
 * The programming interface of ONNX Runtime with a small backend behind it, in place of the WebAssembly one, whose
 * package has 140 MB. It reads ONNX files and computes the four operators that `meanModel` uses, over one picture.
 */
export async function smallRuntime(): Promise<OnnxRuntime> {
  return { env, InferenceSession, Tensor };
}

/** The module can be imported in place of the runtime. */
export { env, InferenceSession, Tensor };

type Values = Float32Array;

const operators: Readonly<Record<string, (inputs: readonly Values[]) => Values>> = {
  GlobalAveragePool: ([image]) => Float32Array.of(image!.reduce((sum, each) => sum + each, 0) / image!.length),
  Flatten: ([values]) => values!,
  Mul: ([values, factor]) => values!.map((each) => each * factor![0]!),
  Add: ([values, term]) => values!.map((each) => each + term![0]!),
};

const backend: Backend = {
  init: async () => undefined,
  createInferenceSessionHandler: async (model) => {
    if (typeof model === 'string') throw new Error('models are given as bytes');
    const graph = fieldsOf(only(fieldsOf(model), 7));
    const nodes = graph
      .filter(({ id }) => id === 1)
      .map(({ bytes }) => {
        const node = fieldsOf(bytes);
        return { inputs: texts(node, 1), output: texts(node, 2)[0]!, operator: operators[texts(node, 4)[0]!]! };
      });
    const constants = graph
      .filter(({ id }) => id === 5)
      .map(({ bytes }): [string, Values] => {
        const tensor = fieldsOf(bytes);
        const raw = only(tensor, 9);
        return [texts(tensor, 8)[0]!, new Float32Array(Uint8Array.from(raw).buffer)];
      });
    const named = (id: number): string[] =>
      graph.filter((each) => each.id === id).map(({ bytes }) => texts(fieldsOf(bytes), 1)[0]!);
    return {
      inputNames: named(11),
      outputNames: named(12),
      inputMetadata: [],
      outputMetadata: [],
      startProfiling: () => undefined,
      endProfiling: () => undefined,
      dispose: async () => undefined,
      run: async (feeds) => {
        const values = new Map(constants);
        for (const [name, value] of Object.entries(feeds)) values.set(name, (value as Tensor).data as Values);
        for (const { inputs, output, operator } of nodes)
          values.set(output, operator(inputs.map((name) => values.get(name)!)));
        return Object.fromEntries(named(12).map((name) => [name, new Tensor('float32', values.get(name)!, [1, 1])]));
      },
    };
  },
};
registerBackend('wasm', backend, 10);

interface Field {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The fields of a message that have a length; numbers are read over. See protobuf.dev/programming-guides/encoding. */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      if (byte === undefined || shift > 28) throw new Error('the message ends early');
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const amount = varint();
    if ((key & 7) === 0) continue;
    if ((key & 7) !== 2 || at + amount > message.length) throw new Error('the message is malformed');
    fields.push({ id: key >>> 3, bytes: message.subarray(at, at + amount) });
    at += amount;
  }
  return fields;
}

function only(fields: readonly Field[], id: number): Uint8Array {
  const field = fields.find((each) => each.id === id);
  if (!field) throw new Error(`field ${id} is missing`);
  return field.bytes;
}

function texts(fields: readonly Field[], id: number): string[] {
  return fields.filter((each) => each.id === id).map(({ bytes }) => new TextDecoder().decode(bytes));
}
