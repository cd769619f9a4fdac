'use strict';

const Module = require('node:module');
const { join, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const root = join(__dirname, '..', '..', '..');
const PACKAGES = `${sep}node_modules${sep}`;
/** What the service is made of, as against the tests. */
const SERVICE = [join(root, 'src') + sep, join(root, 'migrations') + sep];
/** What Jest brings along must be the very modules that it works with itself. */
const JEST = /[\\/]node_modules[\\/](@jest[\\/]|jest-|expect[\\/])/;

/** Source maps of the service's modules, which outlive the test file that asked for them first. */
const sourceMaps = new Map();

/**
 * Loads packages and the service as Node does, and once for all test files of a worker, instead of anew for each file:
 * what is loaded stays compiled and optimised. The modules of the tests are still each file's own. So a module of the
 * service must not remember anything that another application could mistake for its own; the service itself may be
 * started twice in a process, too. Works together with `realm-environment.js`; neither packages nor the service's
 * modules can be mocked.
 */
module.exports = class RealmRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
    for (const [filename, path] of sourceMaps) this.getSourceMaps().set(filename, path);
    Module._extensions['.ts'] = (module, filename) => this.loadService(module, filename);
  }

  requireModuleOrMock(from, name) {
    const file = this.sharedFile(from, name);
    return file === null ? super.requireModuleOrMock(from, name) : require(file);
  }

  /** Compiles a module of the service as Jest compiles those of the tests. */
  loadService(module, filename) {
    const { scriptTransformer } = this.transformCache;
    const { code, sourceMapPath } = scriptTransformer.transform(filename, this._getFullTransformationOptions());
    sourceMaps.set(filename, sourceMapPath);
    this.getSourceMaps().set(filename, sourceMapPath);
    module._compile(code, filename);
  }

  /** The file that a name leads to, when it is one of a package or of the service. */
  sharedFile(from, name) {
    if (name.startsWith('@jest/') || this._resolution.isCoreModule(name)) return null;
    const file = this._resolution.resolveCjs(from, name);
    if (SERVICE.some((folder) => file.startsWith(folder))) return file;
    return file.includes(PACKAGES) && !JEST.test(file) ? file : null;
  }
};
