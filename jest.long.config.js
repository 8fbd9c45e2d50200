import config from './jest.config.js';

const [fast] = config.projects;

/** Hundreds of generated states: `npm run test:long`. */
export default {
  ...config,
  projects: [
    {
      ...fast,
      displayName: 'long',
      testRegex: '/tests/long/.*\\.test\\.ts$',
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
    },
  ],
};
