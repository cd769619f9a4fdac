import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './root.mjs';

const sources = ['src', 'migrations', 'test', 'ormconfig.ts'];
const stampFile = root('dist/.stamp.json');

/**
 * Compiles what changed since the last build into dist/, file by file. Each file is replaced in one step and the record is
 * written last, so that commands may build at the same time and an interrupted build is repeated.
 */
export async function build() {
  const compiler = JSON.parse(readFileSync(root('node_modules/@swc/core/package.json'), 'utf8')).version;
  const settings = `${compiler} ${readFileSync(root('.swcrc'), 'utf8')}`;
  const last = readStamp();
  const known = last.settings === settings ? last.files : {};

  const files = {};
  const changed = [];
  for (const file of sources.flatMap((source) => listFiles(root(source)))) {
    const { mtimeMs, size } = statSync(file);
    const name = relative(root('.'), file);
    files[name] = `${mtimeMs} ${size}`;
    if (known[name] !== files[name] || !existsSync(outputOf(name))) changed.push(name);
  }
  const vanished = Object.keys(last.files).filter((name) => files[name] === undefined);
  if (changed.length === 0 && vanished.length === 0) return;

  for (const name of vanished) {
    for (const end of ['', '.map']) rmSync(`${outputOf(name)}${end}`, { force: true });
  }
  const { transformFile } = changed.some(isTypeScript) ? (await import('@swc/core')).default : {};
  await Promise.all(changed.map((name) => buildFile(name, transformFile)));
  replace(stampFile, JSON.stringify({ settings, files }));
}

async function buildFile(name, transformFile) {
  const output = outputOf(name);
  mkdirSync(dirname(output), { recursive: true });
  if (!isTypeScript(name)) {
    replace(output, readFileSync(root(name)));
    return;
  }
  const { code, map } = await transformFile(root(name), { swcrc: true, configFile: root('.swcrc'), sourceMaps: true });
  replace(`${output}.map`, map);
  replace(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
}

function isTypeScript(name) {
  return name.endsWith('.ts') && !name.endsWith('.d.ts');
}

function outputOf(name) {
  return root(join('dist', isTypeScript(name) ? name.replace(/\.ts$/, '.js') : name));
}

function replace(file, content) {
  const partial = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(partial, content);
  renameSync(partial, file);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return { settings: '', files: {} };
  }
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}
