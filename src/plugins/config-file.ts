import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PluginError } from './plugin-error';

const NAMES = ['helpdesk.config.js', 'helpdesk.config.json'];

/**
 * The plug-ins that `helpdesk.config.js` (`module.exports = { plugins: ['./vehicles'] }`) or `helpdesk.config.json` names.
 *
 * @param directory where the file is looked for
 * @throws PluginError when there are two of them, or one that cannot be read
 */
export function pluginsOfConfigFile(directory: string): string[] {
  const [name, another] = NAMES.filter((each) => existsSync(join(directory, each)));
  if (name === undefined) return [];
  if (another !== undefined) throw new PluginError(`There are ${name} and ${another}; keep one of them.`);
  const content = read(join(directory, name), name);
  const isObject = typeof content === 'object' && content !== null;
  const unknown = isObject ? Object.keys(content).find((key) => key !== 'plugins') : undefined;
  if (unknown !== undefined) throw new PluginError(`${name} has "${unknown}"; "plugins" is all that it may have.`);
  const plugins: unknown = isObject && 'plugins' in content ? content.plugins : undefined;
  if (!Array.isArray(plugins) || !plugins.every((each) => typeof each === 'string'))
    throw new PluginError(`${name} must hold { "plugins": [...] }, a list of packages and folders.`);
  return plugins;
}

function read(file: string, name: string): unknown {
  try {
    return name.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : createRequire(file)(file);
  } catch (error) {
    throw new PluginError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
