/**
 * `npm run check`: everything a change must pass, in order, up to the first failure.
 * `npm run check -- --no-tests` leaves the tests out, for those who have just run them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { installDependencies } from './lib/install.mjs';
import { root } from './lib/root.mjs';

const withTests = !process.argv.includes('--no-tests');

const steps = [
  ['format', () => tool('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn')],
  ['lint', () => tool('eslint/bin/eslint.js', '--max-warnings', '0', '.')],
  ['types', () => tool('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json')],
  [
    'boundaries',
    () => tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src'),
  ],
  ['sql walls', () => node('scripts/sql-walls.mjs')],
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
for (const [name, step] of steps) {
  const started = performance.now();
  const passed = step();
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}${seconds(started)} s\n`);
  if (!passed) process.exit(1);
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

function tool(bin, ...args) {
  return node(join('node_modules', bin), ...args);
}

function node(file, ...args) {
  return spawnSync(process.execPath, [root(file), ...args], { cwd: root('.'), stdio: 'inherit' }).status === 0;
}

function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1).padStart(6);
}
