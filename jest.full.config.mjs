import quick from './jest.config.mjs';

/** `npm run test:full`: what is long, or needs programs that npm does not bring. */
export default {
  ...quick,
  testMatch: ['**/*.full.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
};
