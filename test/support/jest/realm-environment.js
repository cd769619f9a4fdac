'use strict';

const { ModuleMocker } = require('jest-mock');

/** Where packages note what the decorators of our modules say; those modules outlive a file, so this does, too. */
const LASTING = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];

/**
 * Test files run in the realm of their worker instead of a context of their own, as the service runs in that of its
 * process: there is one `Error`, one `Date`, one `Map`, for our modules, for packages and for Node. What a file leaves
 * behind on the global object, in the environment variables and among the listeners of the process goes when it ends.
 * There are no fake timers: tests that need another time pass one in.
 */
module.exports = class RealmEnvironment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  }

  setup() {
    return Promise.resolve();
  }

  teardown() {
    this.restoreGlobals();
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.variables, name)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
    for (const name of process.eventNames()) {
      const before = this.listeners.get(name) ?? [];
      for (const listener of process.rawListeners(name)) {
        if (!before.includes(listener)) process.removeListener(name, listener);
      }
    }
    return Promise.resolve();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }

  restoreGlobals() {
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.globals, key) && !LASTING.includes(key)) Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.globals)) {
      const { configurable, value } = this.globals[key];
      const now = Object.getOwnPropertyDescriptor(globalThis, key);
      if (configurable && (now === undefined || now.value !== value)) {
        Object.defineProperty(globalThis, key, this.globals[key]);
      }
    }
  }
};
