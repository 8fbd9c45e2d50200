import config, { withServer } from './jest.config.js';

/** The long tables: `npm run test:matrix`. */
export default {
  ...config,
  maxWorkers: 3,
  projects: [
    {
      ...withServer,
      displayName: 'matrix',
      testMatch: ['<rootDir>/tests/matrix/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
    },
  ],
};
