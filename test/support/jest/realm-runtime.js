'use strict';

const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** What Jest brings along must be the very modules that it works with itself. */
const JEST = /[\\/]node_modules[\\/](@jest[\\/]|jest-|expect[\\/])/;

/**
 * Loads packages as Node does, and once for all test files of a worker, instead of compiling some 2,500 files anew for
 * each: that was half of what the tests cost. Our own modules are still each test file's own, so nothing that one of
 * them remembers reaches the next file. Works together with `realm-environment.js`; packages cannot be mocked.
 */
module.exports = class RealmRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const file = this.packageFile(from, name);
    return file === null ? super.requireModuleOrMock(from, name) : require(file);
  }

  /** The file that a name leads to, when it is one of a package. */
  packageFile(from, name) {
    if (name.startsWith('@jest/') || this._resolution.isCoreModule(name)) return null;
    const file = this._resolution.resolveCjs(from, name);
    return file.includes(PACKAGES) && !JEST.test(file) ? file : null;
  }
};
