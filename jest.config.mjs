/** Tests are ESM in TypeScript. Node.js loads them and strips their types; see docs/decisions/0060-tests-loaded-by-node.md. */
export default {
  testEnvironment: '<rootDir>/tests/support/native-environment.mjs',
  runtime: '<rootDir>/tests/support/native-runtime.mjs',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  // Those are for `npm run test:full` and `npm run test:releases`.
  testPathIgnorePatterns: ['/node_modules/', '\\.(full|long)\\.test\\.ts$'],
  transform: {},
  globalSetup: '<rootDir>/tests/support/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/support/global-teardown.mjs',
  // Real processes and databases: on a machine that is busy otherwise they take their time.
  testTimeout: 90_000,
  // Jest leaves one processor to itself unless told; on a machine of two that is half of it.
  maxWorkers: '100%',
  // What test files leave behind is only given back with the process.
  workerIdleMemoryLimit: '1GB',
};
