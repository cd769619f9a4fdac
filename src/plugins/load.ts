import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Area } from '../platform/area/area';
import { COMPILED, compilePlugin } from './compile';
import { pluginsOfConfigFile } from './config-file';
import { PluginError } from './plugin-error';
import { shareModulesWith } from './resolution';

/** A plug-in as it was named, and where it is. */
export interface PluginPlace {
  name: string;
  /** Absolute, symbolic links followed. */
  folder: string;
  /** The main file of a package; null for a folder, which has `plugin.ts`. */
  main: string | null;
}

/**
 * The plug-ins of an installation: areas that no file of this repository names. Each exports `plugin`, made with `defineArea`.
 *
 * @param named packages and folders; null = what the configuration file in `directory` names
 * @param directory what folders are relative to, and where packages are installed
 * @throws PluginError that says what to do
 */
export function loadPlugins(named: readonly string[] | null, directory = process.cwd()): Area[] {
  return pluginPlaces(named, directory).map(load);
}

/** Where they are, without loading them. */
export function pluginPlaces(named: readonly string[] | null, directory = process.cwd()): PluginPlace[] {
  const names = named ?? pluginsOfConfigFile(directory);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new PluginError(`The plug-in "${twice}" is named twice; name it once.`);
  return names.map((name) => folderOf(name, directory) ?? packageOf(name, directory));
}

function folderOf(name: string, directory: string): PluginPlace | null {
  const path = resolve(directory, name);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return { name, folder: realpathSync(path), main: null };
  if (/^[./]/.test(name)) throw new PluginError(`The plug-in "${name}" is not there: ${path} is no folder.`);
  return null;
}

function packageOf(name: string, directory: string): PluginPlace {
  for (const from of [join(directory, 'package.json'), __filename]) {
    try {
      const main = createRequire(from).resolve(name);
      return { name, folder: packageFolder(main), main };
    } catch {
      // Looked for elsewhere, too.
    }
  }
  throw new PluginError(
    `The plug-in "${name}" is neither a folder in ${directory} nor an installed package; mend HELPDESK_PLUGINS, or npm install it.`,
  );
}

function packageFolder(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder) ? folder : packageFolder(folder);
}

/** Compiles the folder of a plug-in where that is needed, and lets its files find the service. */
export function preparePlugin({ folder, main }: PluginPlace): void {
  if (main === null && existsSync(join(folder, 'plugin.ts'))) compilePlugin(folder);
  shareModulesWith(folder);
}

function load({ name, folder, main }: PluginPlace): Area {
  preparePlugin({ name, folder, main });
  const file = main ?? mainOf(name, folder);
  const loaded = requirePlugin(name, file);
  const { plugin } = loaded as { plugin?: Partial<Area> };
  if (typeof plugin?.name !== 'string')
    throw new PluginError(
      `The plug-in "${name}" exports no "plugin"; write \`export const plugin = defineArea({ … })\` in ${file}.`,
    );
  return withOwnHistory(plugin as Area);
}

/** Its migrations are noted as `<plug-in>/<class>`: they meet those of nobody else, and the core's history is whole without them. */
function withOwnHistory(plugin: Area): Area {
  const migrations = plugin.migrations?.map((migration) => {
    const own = class extends migration {};
    Object.defineProperty(own, 'name', { value: `${plugin.name}/${migration.name}` });
    return own;
  });
  return { ...plugin, ...(migrations ? { migrations } : {}) };
}

function mainOf(name: string, folder: string): string {
  const manifest = join(folder, 'package.json');
  const { main } = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }) : {};
  const found = [...(main === undefined ? [] : [main]), join(COMPILED, 'plugin.js'), 'plugin.js']
    .map((each) => join(folder, each))
    .find((each) => existsSync(each));
  if (found === undefined)
    throw new PluginError(
      `The plug-in "${name}" has no plugin.ts or plugin.js in ${folder}; \`helpdesk generate\` writes one.`,
    );
  return found;
}

function requirePlugin(name: string, file: string): unknown {
  try {
    return createRequire(file)(file);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new PluginError(`The plug-in "${name}" cannot be loaded; mend this: ${reason}`);
  }
}
