/** ONNX Runtime in WebAssembly: an optional peer dependency, which is imported when there are models and never else. */
export const RUNTIME = 'onnxruntime-web/wasm';
