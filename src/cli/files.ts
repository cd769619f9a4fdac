import { accessSync, constants, statSync } from 'node:fs';
import { reasonOf } from '../embedded/start-error';

/** A file or a pipe that a command is to read. @throws Error when it is not there, a folder, or somebody else's */
export function requireReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new Error(`The file ${path} cannot be read (${reasonOf(error)})`);
  }
  if (statSync(path).isDirectory()) throw new Error(`${path} is a folder; name a file`);
}
