'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));

/** Our own files pass through SWC; packages, those that ship ES modules only among them, are loaded by Node itself. */
module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest/realm-environment.js',
  runtime: '<rootDir>/test/support/jest/realm-runtime.js',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/gates/', '<rootDir>/test/bench/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/jest/slowest-first.js',
  // One more than the reference machine has cores: some files mostly wait for a retry, a lease, a process to come back.
  maxWorkers: 3,
  // Its exports know only `import`, which is not asked for here.
  moduleNameMapper: {
    '^@octokit/webhooks-methods$': '<rootDir>/node_modules/@octokit/webhooks-methods/dist-node/index.js',
  },
  testTimeout: 60_000,
};
