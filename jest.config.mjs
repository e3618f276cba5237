/** Native ESM under jest: swc strips the types, `.ts` import endings stay as they are. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  // Those are for `npm run test:full` and `npm run test:releases`.
  testPathIgnorePatterns: ['/node_modules/', '\\.(full|long)\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/tests/support/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/support/global-teardown.mjs',
  // Real processes and databases: on a machine that is busy otherwise they take their time.
  testTimeout: 90_000,
  // Jest leaves one processor to itself unless told; on a machine of two that is half of it.
  maxWorkers: '100%',
  // Every test file loads its modules anew, and what it leaves behind is only given back with the process.
  workerIdleMemoryLimit: '1GB',
};
