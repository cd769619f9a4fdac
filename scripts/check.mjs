/**
 * `npm run check`: everything a change must pass, in order, up to the first failure. What only reads the sources runs at the same
 * time, on as many cores as there are.
 * `npm run check -- --no-tests` leaves the tests out, for those who have just run them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { installDependencies } from './lib/install.mjs';
import { root } from './lib/root.mjs';

const withTests = !process.argv.includes('--no-tests');

/** What reads the sources and writes nothing, the longest first. */
const readings = [
  ['lint', 'eslint/bin/eslint.js', '--max-warnings', '0', '.'],
  ['format', 'prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'],
  ['types', 'typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['boundaries', 'dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src'],
  ['sql walls', '../scripts/sql-walls.mjs'],
];

const steps = [
  ...(withTests
    ? [
        ['tests', () => node('scripts/run.mjs', 'test')],
        ['system', () => node('scripts/run.mjs', 'test', 'test/system/')],
      ]
    : []),
  ['extending', () => node('scripts/extending.mjs')],
  ['openapi', sameDocument],
  [
    'redocly',
    () =>
      quietly(
        '@redocly/cli/bin/cli.js',
        'lint',
        'docs/openapi.json',
        '--config',
        'redocly.yaml',
        '--max-problems',
        '50',
      ),
  ],
  [
    'spectral',
    () =>
      quietly(
        '@stoplight/spectral-cli/dist/index.js',
        'lint',
        'docs/openapi.json',
        '--ruleset',
        '.spectral.yaml',
        '--fail-severity',
        'warn',
      ),
  ],
];

await installDependencies();
await build();
// Not there before it is installed.
const { default: pLimit } = await import('p-limit');
const atOnce = pLimit(availableParallelism());
const outcomes = await Promise.all(readings.map((reading) => atOnce(() => read(...reading))));
if (!outcomes.every(Boolean)) process.exit(1);
for (const [name, step] of steps) {
  const started = performance.now();
  const passed = step();
  tell(name, passed, started);
  if (!passed) process.exit(1);
}

/** Whether a tool that reads the sources is content; what it says is shown when it ends, in one piece. */
async function read(name, bin, ...args) {
  const started = performance.now();
  const said = [];
  const tool = spawn(process.execPath, [root(join('node_modules', bin)), ...args], { cwd: root('.') });
  for (const stream of [tool.stdout, tool.stderr]) stream.on('data', (part) => said.push(part));
  const passed = await new Promise((resolve) => tool.once('close', (status) => resolve(status === 0)));
  process.stdout.write(Buffer.concat(said));
  tell(name, passed, started);
  return passed;
}

function tell(name, passed, started) {
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}${seconds(started)} s\n`);
}

/** The document in the repository is the one the code describes. */
function sameDocument() {
  const directory = mkdtempSync(join(tmpdir(), 'helpdesk-openapi-'));
  try {
    const file = join(directory, 'openapi.json');
    if (!node('scripts/run.mjs', 'helpdesk', 'openapi', '--out', file)) return false;
    const kept = root('docs/openapi.json');
    if (existsSync(kept) && readFileSync(file, 'utf8') === readFileSync(kept, 'utf8')) return true;
    process.stderr.write('docs/openapi.json is out of date; run npm run openapi and commit the result.\n');
    return false;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A linter of the document: what it says is shown when it finds anything, warnings included. Nothing leaves the machine. */
function quietly(bin, ...args) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const options = { cwd: root('.'), encoding: 'utf8', env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [root(join('node_modules', bin)), ...args], options);
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status === 0;
}

function node(file, ...args) {
  return spawnSync(process.execPath, [root(file), ...args], { cwd: root('.'), stdio: 'inherit' }).status === 0;
}

function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1).padStart(6);
}
