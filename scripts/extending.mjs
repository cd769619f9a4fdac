/**
 * Does what docs/extending.md says, word for word, in a copy of the repository: writes each file that it shows under its name, runs
 * each command, in the order of the page; then checks the types of the outcome.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './lib/root.mjs';

const COPIED = [
  'src',
  'test',
  'migrations',
  'scripts',
  'examples',
  'dist',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'jest.config.js',
  '.swcrc',
  '.prettierrc',
  '.prettierignore',
  'ormconfig.ts',
  'eslint.config.mjs',
];

/** Files and commands of the page, in order. */
function steps(page) {
  const fence = /(?:^`([^`\n]+)`\n\n)?^```(ts|sh)\n(.*?)^```$/gms;
  return [...page.matchAll(fence)].flatMap(([, file, language, text]) => {
    if (language === 'ts') return file === undefined ? [] : [{ file, text }];
    return text
      .trim()
      .split('\n')
      .map((command) => ({ command }));
  });
}

const copy = mkdtempSync(join(tmpdir(), 'helpdesk-extending-'));

function run(command) {
  process.stdout.write(`$ ${command}\n`);
  const { status } = spawnSync(command, { cwd: copy, shell: true, stdio: 'inherit' });
  if (status !== 0) throw new Error(`docs/extending.md is not true: "${command}" ended with ${status}.`);
}

try {
  for (const name of COPIED) cpSync(root(name), join(copy, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(root('node_modules'), join(copy, 'node_modules'));
  for (const { file, text, command } of steps(readFileSync(root('docs/extending.md'), 'utf8'))) {
    if (command !== undefined) run(command);
    else {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), text);
    }
  }
  run('node node_modules/prettier/bin/prettier.cjs --check --log-level warn plugins');
  const settings = {
    extends: '../tsconfig.json',
    compilerOptions: { noEmit: true },
    include: ['.'],
    exclude: ['**/dist'],
  };
  writeFileSync(join(copy, 'plugins/tsconfig.json'), JSON.stringify(settings));
  run('node node_modules/typescript/bin/tsc -p plugins/tsconfig.json');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
