'use strict';

const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');

/** Plug-ins that `HELPDESK_PLUGINS` names bring their specs along: `HELPDESK_PLUGINS=../vehicles npm test -- ../vehicles`. */
const folders = (process.env.HELPDESK_PLUGINS ?? '')
  .split(',')
  .map((name) => resolve(name.trim()))
  .filter((folder) => existsSync(join(folder, 'plugin.ts')));

/** Specs are compiled before (scripts/lib/build.mjs, src/plugins/compile.ts) and loaded by Node itself: test/support/jest/environment.js. */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/test', ...folders],
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testMatch: ['<rootDir>/test/**/*.spec.ts', ...folders.map((folder) => `${folder}/**/*.spec.ts`)],
  modulePathIgnorePatterns: folders.map((folder) => `${folder}/dist/`),
  transform: { '\\.spec\\.ts$': '<rootDir>/test/support/jest/spec-loader.js' },
  globalSetup: '<rootDir>/dist/test/support/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/support/global-teardown.js',
  testSequencer: '<rootDir>/test/support/jest/slowest-first.js',
  // One more than the reference machine has cores: some files mostly wait for a retry, a lease, a process to come back.
  maxWorkers: 3,
};
