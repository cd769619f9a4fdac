'use strict';

const asyncHooks = require('node:async_hooks');
const { setFlagsFromString } = require('node:v8');
const { configureGlobal } = require('fast-check');
const { TestEnvironment } = require('jest-environment-node');

/** What a hanging test gets, in milliseconds of the reference machine (`machine.ts`). */
const TEST_TIMEOUT_MS = 300_000;
/** What of it one run of a property gets, and all of its runs: who looks for a smaller counterexample tells the one it has in time. */
const PROPERTY = { run: 0.4, all: 0.8 };

/** Enough to show the line of a test; a process of the service notes 10. */
const STACK_FRAMES = 20;

// A worker runs a little of everything: what was compiled is kept, and what is optimised has to be called more often before.
for (const flag of ['--no-flush-bytecode', '--interrupt-budget=1000000']) setFlagsFromString(flag);

// A worker has nobody to work for any more when its run was killed, or when Jest has nothing more for it and stops listening to
// messages. It then ends with what is still open, applications that files share among it: Jest waits half a second for it,
// less than closing them may take on a busy machine, or ending the threads of a process in order.
if (process.send !== undefined) {
  process.once('disconnect', () => process.exit(1));
  process.on('removeListener', (event) => {
    if (event !== 'message') return;
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  });
}

/**
 * Jest loads `jest-circus` anew for each file, which stores there what test it is in (since Jest 30), and leaves that on when the file
 * is over. Node asks each storage that is on at each promise: those of a hundred files cost a worker a tenth of its time.
 */
const storages = new Set();
asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...given) {
    super(...given);
    // What the service and its libraries store is theirs, in every file.
    if (/node_modules.jest-circus/.test(new Error().stack)) storages.add(this);
  }
};

/**
 * Jest's own environment, with one way out of it: `loadSpec` lets Node itself load a compiled spec (see `spec-loader.js`),
 * with what Jest offers to tests as globals. So packages, ES modules among them, and the service are loaded as they are when
 * it runs, once per worker. What a file did to the environment variables goes when it ends.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // An `Error`, a `Date`, a `String` is the same to a spec and to the expectations of Jest.
    for (const name of Object.getOwnPropertyNames(this.global)) {
      if (/^[A-Z]/.test(name) && typeof globalThis[name] === 'function') this.global[name] = globalThis[name];
    }
    this.variables = { ...process.env };
    this.global.loadSpec = (file, offered, plugin) => {
      Object.assign(globalThis, offered);
      const patience = Math.round(TEST_TIMEOUT_MS * Number(process.env.TEST_SLOWNESS ?? 1));
      offered.jest.setTimeout(patience);
      configureGlobal({
        timeout: PROPERTY.run * patience,
        interruptAfterTimeLimit: PROPERTY.all * patience,
        markInterruptAsFailure: true,
      });
      // The specs of a plug-in find the service as its other files do.
      if (plugin) require('../../../dist/src/plugins/load.js').preparePlugin({ folder: plugin, main: null });
      // Jest sets 100 for the whole process: each expectation and each refusal of the service would note so many frames.
      Error.stackTraceLimit = STACK_FRAMES;
      delete require.cache[file];
      require(file);
    };
  }

  async teardown() {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.variables, name)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
