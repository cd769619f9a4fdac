'use strict';

/** Specs are compiled before (scripts/lib/build.mjs) and loaded by Node itself: test/support/jest/environment.js. */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: { '\\.spec\\.ts$': '<rootDir>/test/support/jest/spec-loader.js' },
  globalSetup: '<rootDir>/dist/test/support/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/support/global-teardown.js',
  testSequencer: '<rootDir>/test/support/jest/slowest-first.js',
  // One more than the reference machine has cores: some files mostly wait for a retry, a lease, a process to come back.
  maxWorkers: 3,
};
