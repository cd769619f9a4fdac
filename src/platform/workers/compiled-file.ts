import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../config';

const BUILT = join(projectRoot, 'dist');

/**
 * The compiled JavaScript of a module of the service, for a thread to load: beside the caller when that is compiled
 * itself, else in `dist`. `npm test` builds before it runs, so the file is there where the caller is TypeScript, too.
 *
 * @param module absolute path without its ending, e.g. `join(__dirname, 'quote-pdf')`
 */
export function compiledFile(module: string): string {
  const built = module.startsWith(BUILT + sep) ? module : join(BUILT, relative(projectRoot, module));
  return `${built}.js`;
}
