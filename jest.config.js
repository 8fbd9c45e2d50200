import { existsSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from './tests/page/support/find-browser.mjs';

// `npm test` says where the Temporal command line is; a bare jest finds the one that it installed.
const installed = path.join(import.meta.dirname, '.cache', 'tools', 'temporal-1.9.1', 'temporal');
if (process.env.TEMPORAL_CLI === undefined && existsSync(installed)) process.env.TEMPORAL_CLI = installed;

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
  ],
};

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
};
const ignored = [
  '/node_modules/',
  '<rootDir>/dist/',
  '<rootDir>/.cache/',
  '<rootDir>/tests/matrix/',
  '<rootDir>/tests/long/',
];

/** Folders whose tests need neither a Temporal server nor an agent program: `npm run test:fast`. */
const FAST = '(schemas|redaction|system|workspaces|docs|client|workflows/decide|cli/(arguments|pages|terminal|text))';

/** Tests of the page in a real browser, where there is one. */
const page = {
  ...common,
  displayName: 'page',
  testMatch: ['<rootDir>/tests/page/*.test.ts'],
  testPathIgnorePatterns: ignored,
};
const hasBrowser = findBrowser() !== null;
if (!hasBrowser)
  process.stderr.write('tests/page is left out: there is no Chromium on PATH (Debian: apt-get install chromium).\n');

/** Test files that run on the Temporal server which they share: those that start the engine in their own process. */
export const withServer = {
  ...common,
  displayName: 'engine',
  globalSetup: '<rootDir>/tests/support/shared-server.ts',
  globalTeardown: '<rootDir>/tests/support/shared-server-end.ts',
};

export default {
  testTimeout: 180_000,
  // Most of a test's time is waiting: for processes, for Temporal.
  maxWorkers: 4,
  projects: [
    { ...common, displayName: 'fast', testRegex: `/tests/${FAST}/.*\\.test\\.ts$`, testPathIgnorePatterns: ignored },
    { ...withServer, testMatch: ['<rootDir>/tests/workflows/*.test.ts'], testPathIgnorePatterns: ignored },
    {
      ...common,
      displayName: 'live',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: [...ignored, `/tests/${FAST}/`, '<rootDir>/tests/workflows/', '<rootDir>/tests/page/'],
    },
    ...(hasBrowser ? [page] : []),
  ],
};
