import { fileURLToPath } from 'node:url';

/** Absolute path of a file of the project. */
export function root(path) {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url)).replace(/[\\/]$/, '');
}
