import { TestEnvironment } from 'jest-environment-node';

/** What `expect` compares constructors with (`expect.any(String)`, errors, buffers, maps). */
const CONSTRUCTORS = [
  'Array',
  'ArrayBuffer',
  'BigInt',
  'Boolean',
  'Date',
  'Error',
  'EvalError',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'WeakMap',
  'WeakSet',
];

/** Jest's own code runs in a context of its own; tests, whose modules Node loads, do not. Both know the same classes. */
export default class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of CONSTRUCTORS) this.global[name] = globalThis[name];
  }
}
