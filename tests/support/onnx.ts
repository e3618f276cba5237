import { createHash } from 'node:crypto';
import type { ModelMetadata } from '@perennial/core/imaging/analysis/model/model-file.ts';

/**
 * Writes a tiny ONNX model by hand: the mean of the picture, then `Mul` and `Add` by constants, as one logit. Fields
 * are numbered as in onnx.proto; see protobuf.dev/programming-guides/encoding for the wire format.
 */
export function meanModel(width: number, height: number, scale: number, offset: number): Uint8Array {
  const graph = message([
    node('GlobalAveragePool', ['image'], ['pooled']),
    node('Flatten', ['pooled'], ['flat']),
    node('Mul', ['flat', 'scale'], ['scaled']),
    node('Add', ['scaled', 'offset'], ['score']),
    field(2, text('mean')),
    field(5, constant('scale', scale)),
    field(5, constant('offset', offset)),
    field(11, valueInfo('image', [1, 1, height, width])),
    field(12, valueInfo('score', [1, 1])),
  ]);
  return message([
    number(1, 8), // ir_version
    field(7, graph),
    field(8, message([field(1, text('')), number(2, 13)])), // opset_import
  ]);
}

function node(operator: string, inputs: readonly string[], outputs: readonly string[]): Uint8Array {
  return field(
    1,
    message([
      ...inputs.map((name) => field(1, text(name))),
      ...outputs.map((name) => field(2, text(name))),
      field(4, text(operator)),
    ]),
  );
}

function constant(name: string, value: number): Uint8Array {
  const raw = new Uint8Array(Float32Array.of(value).buffer);
  return message([number(1, 1), number(2, 1), field(8, text(name)), field(9, raw)]);
}

function valueInfo(name: string, dims: readonly number[]): Uint8Array {
  const shape = message(dims.map((dim) => field(1, number(1, dim))));
  return message([field(1, text(name)), field(2, field(1, message([number(1, 1), field(2, shape)])))]);
}

function message(fields: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(fields.flatMap((each) => [...each]));
}

function field(id: number, content: Uint8Array): Uint8Array {
  return Uint8Array.from([...varint((id << 3) | 2), ...varint(content.length), ...content]);
}

function number(id: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(id << 3), ...varint(value)]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** What is said of such a model that takes pictures of `size` times `size`. */
export function aboutMean(bytes: Uint8Array, size: number, version = '1.0.0'): ModelMetadata {
  return {
    id: 'mean-brightness',
    name: 'Mean brightness',
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modalities: ['DX'],
    bodyParts: ['CHEST', 'HAND'],
    views: [],
    input: { name: 'image', width: size, height: size, mean: 0, deviation: 1 },
    output: {
      name: 'score',
      activation: 'sigmoid',
      findings: [{ code: 'bright', name: 'Brightness', threshold: 0.5, conditionIds: ['pneumonia'] }],
    },
    limits: ['Knows nothing but brightness.'],
  };
}
