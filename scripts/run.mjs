/**
 * The entry of every npm script: `node scripts/run.mjs <start|helpdesk|test|build|bench|gate|example> [arguments]`.
 * Installs and builds what is missing or out of date, then runs the command in this same process, so that signals reach it.
 */
import { pathToFileURL } from 'node:url';
import { build } from './lib/build.mjs';
import { installDependencies } from './lib/install.mjs';
import { alreadyRunning } from './lib/running.mjs';
import { root } from './lib/root.mjs';
import { mapStacks } from './lib/stacks.mjs';

const commands = {
  start: { file: 'dist/src/main.js', build: true },
  helpdesk: { file: 'dist/src/cli.js', build: true },
  bench: { file: 'dist/test/bench/main.js', build: true },
  gate: { file: 'dist/test/gates/main.js', build: true },
  test: { file: 'node_modules/jest/bin/jest.js', build: true },
  example: { file: 'scripts/example.mjs', build: false },
  build: { file: null, build: true },
};

/** Ends with one sentence for the person at the terminal. */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Whether an argument for Jest says which files are meant: a pattern (not the number of an option), or an option with patterns. */
function namesFiles(argument) {
  return (
    !/^-|^\d+%?$/.test(argument) ||
    /^--(testPathPatterns?|runTestsByPath|findRelatedTests|changedSince|testPathIgnorePatterns)\b/.test(argument)
  );
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node.js 20.19 or newer is needed, this is ${process.versions.node}; install it from https://nodejs.org.`);
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (command === undefined) {
  refuse(`The first argument must be one of ${Object.keys(commands).join(', ')}, but is "${name ?? ''}".`);
}

if (name === 'start') {
  const where = await alreadyRunning();
  if (where !== null) {
    process.stdout.write(`${where}\n`);
    process.exit(0);
  }
}

try {
  await installDependencies();
  if (command.build) await build();
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}

if (command.file !== null) {
  const file = root(command.file);
  process.argv = [process.argv[0], file, ...args];
  process.chdir(root('.'));
  mapStacks();
  if (name === 'test') {
    // For the workers: what is soon garbage is collected less often. More of it in test/support/jest/environment.js.
    process.execArgv.push('--max-semi-space-size=64');
    // Processes, kills, other servers, browsers, walks over every operation: `npm run test:system`, or by name.
    if (!args.some(namesFiles))
      process.argv.push('--testPathIgnorePatterns', '/node_modules/', '<rootDir>/test/system/');
  }
  // For the processes that the program makes of itself (CLUSTER_WORKERS).
  if (name === 'start') process.execArgv.push('--import', pathToFileURL(root('scripts/lib/map-stacks.mjs')).href);
  await import(pathToFileURL(file).href);
}
