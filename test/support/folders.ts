import { rmSync } from 'node:fs';
import { until } from './until';

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
