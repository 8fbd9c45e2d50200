import { existsSync } from 'node:fs';
import path from 'node:path';

// `npm test` says where the Temporal command line is; a bare jest finds the one that it installed.
const installed = path.join(import.meta.dirname, '.cache', 'tools', 'temporal-1.9.1', 'temporal');
if (process.env.TEMPORAL_CLI === undefined && existsSync(installed)) process.env.TEMPORAL_CLI = installed;

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
  ],
};

export default {
  testEnvironment: 'node',
  testTimeout: 30_000,
  // Most of a test's time is waiting: for processes, for Temporal.
  maxWorkers: 3,
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/', '<rootDir>/tests/matrix/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
};
