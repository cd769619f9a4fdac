import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. One after the other, because Node's own `recursive` never comes back where a
 * file system takes no directories, such as below /proc.
 *
 * @throws the error of the operating system, also when a file is in its place
 */
export function makeFolder(path: string, mode = 0o755): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    missing.unshift(folder);
  }
  for (const folder of missing) mkdirSync(folder, { mode });
}
