import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';

/** Linux keeps it in memory. */
const IN_MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;
/** Several times what the databases of a run take. */
const ROOM = 3 * GIGABYTE;
const MEMORY = 6 * GIGABYTE;

/**
 * Where data of PostgreSQL goes that nobody needs after the run: in memory, where there is plenty. A copy of the migrated
 * database is some 1,500 files, which takes 0.05 s of CPU there, and 1.5 s on ext4.
 */
export function dataFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix));
}

/** All the places in which `dataFolder` makes folders. */
export const dataParents: readonly string[] = [tmpdir(), IN_MEMORY];

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return process.platform === 'linux' && bavail * bsize >= ROOM && process.availableMemory() >= MEMORY;
  } catch {
    return false;
  }
}

/** Removes a folder into which somebody is still writing: what came into it while it went is met again. */
export async function removeWhileUsed(folder: string): Promise<void> {
  await until(`${folder} is gone`, () => {
    try {
      rmSync(folder, { recursive: true, force: true });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      return false;
    }
  });
}
