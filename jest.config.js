'use strict';

/** NestJS 12 ships ES modules only: its packages pass through SWC so that Jest can require them without a vm flag. */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/gates/', '<rootDir>/test/bench/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: { '^.+\\.(ts|js|mjs)$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/|uuid/)'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  maxWorkers: 2,
  testTimeout: 30_000,
};
