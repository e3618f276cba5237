import quick from './jest.config.mjs';

/** `npm run test:releases`: three releases shipped one after another in a copy of the repository. */
export default {
  ...quick,
  testMatch: ['**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 1_800_000,
};
