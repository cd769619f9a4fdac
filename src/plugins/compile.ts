import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { projectRoot } from '../config';
import { PluginError } from './plugin-error';

/** Where the compiled files of a folder go, by the same paths. */
export const COMPILED = 'dist';

/** What is used of `@swc/core`. */
interface Compiler {
  transformFileSync(file: string, options: object): { code: string; map?: string };
}

/**
 * Compiles the TypeScript of a plug-in's folder that changed since it was last compiled, as `npm start` does with the service:
 * each file by itself, types unchecked. Files are replaced in one step, so that several processes may do it at once.
 *
 * @throws PluginError when something is to be compiled and the compiler, a development dependency, is not installed
 */
export function compilePlugin(folder: string): void {
  const stale = typeScriptOf(folder).filter((file) => isStale(file, compiledName(folder, file)));
  if (stale.length === 0) return;
  const swc = compiler(folder);
  for (const file of stale) {
    const output = compiledName(folder, file);
    const { code, map = '' } = swc.transformFileSync(file, {
      swcrc: false,
      configFile: join(projectRoot, '.swcrc'),
      sourceMaps: true,
    });
    replace(`${output}.map`, map);
    replace(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  }
}

/** The compiled form of a file of a plug-in. */
function compiledName(folder: string, file: string): string {
  return join(folder, COMPILED, relative(folder, file).replace(/\.ts$/, '.js'));
}

function typeScriptOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || ['node_modules', COMPILED].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return typeScriptOf(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function isStale(file: string, output: string): boolean {
  return !existsSync(output) || statSync(output).mtimeMs < statSync(file).mtimeMs;
}

function compiler(folder: string): Compiler {
  try {
    return createRequire(__filename)('@swc/core') as Compiler;
  } catch {
    throw new PluginError(
      `The plug-in ${folder} is not compiled and the compiler is not installed here; run its own tsc into ${COMPILED}/ before.`,
    );
  }
}

function replace(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}
