import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder } from '../../folder';
import { isRecord } from '../text/json';
import { type ByteRange, FileGone, FileStore, type StoredFile } from './file-store';
import { requireKey } from './keys';

/** Files that are still arriving, beside those that are there. */
const ARRIVING = 'arriving';
/** No file takes longer to arrive. */
const ARRIVES_WITHIN_MS = 24 * 3_600_000;

/** Files in a folder, of this machine or shared by several: written beside, brought to the disk, and put in place by a rename. */
export class FolderStore extends FileStore {
  constructor(private readonly folder: string) {
    super();
  }

  async put(key: string, source: Readable): Promise<void> {
    const target = this.pathOf(key);
    const arriving = join(this.folder, ARRIVING, randomUUID());
    let file: FileHandle | null = null;
    try {
      ensureFolder(dirname(arriving));
      ensureFolder(dirname(target));
      file = await open(arriving, 'wx', 0o600);
      await writeFile(file, source);
      await file.sync();
      await file.close();
      await rename(arriving, target);
      await syncFolder(dirname(target));
    } catch (error) {
      source.destroy();
      await file?.close().catch(() => undefined);
      await rm(arriving, { force: true });
      throw error;
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new FileGone('The file is not there.') : error;
    });
    return file.createReadStream(range);
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.pathOf(key), { force: true });
  }

  async list(after: string | null, limit: number): Promise<StoredFile[]> {
    if (after === null) await this.clearArriving();
    const found: StoredFile[] = [];
    const [workspace = '', folder = '', name = ''] = after?.split('/') ?? [];
    for (const first of (await namesIn(this.folder)).sort(asFolders)) {
      if (!/^[1-9]\d*$/.test(first) || (workspace !== '' && asFolders(first, workspace) < 0)) continue;
      for (const second of await namesIn(join(this.folder, first))) {
        if (first === workspace && second < folder) continue;
        for (const third of await namesIn(join(this.folder, first, second))) {
          if (first === workspace && second === folder && third <= name) continue;
          const at = await stat(join(this.folder, first, second, third)).catch(() => null);
          if (at) found.push({ key: `${first}/${second}/${third}`, at: at.mtime });
          if (found.length === limit) return found;
        }
      }
    }
    return found;
  }

  address(): Promise<null> {
    return Promise.resolve(null);
  }

  private pathOf(key: string): string {
    return join(this.folder, requireKey(key));
  }

  /** What a process left that ended while a file arrived. */
  private async clearArriving(): Promise<void> {
    const folder = join(this.folder, ARRIVING);
    for (const name of await namesIn(folder)) {
      const file = await stat(join(folder, name)).catch(() => null);
      if (file && Date.now() - file.mtimeMs > ARRIVES_WITHIN_MS) await rm(join(folder, name), { force: true });
    }
  }
}

/** The order of the keys below folders: `1/…` before `10/…`. */
function asFolders(one: string, other: string): number {
  return Buffer.compare(Buffer.from(`${one}/`), Buffer.from(`${other}/`));
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  // Plain ASCII: what else lies there, nobody has put there.
  return names.sort();
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Others, and other nodes, make the same folders at the same time. */
function ensureFolder(path: string): void {
  for (let tries = 3; ; tries--) {
    try {
      makeFolder(path, 0o700);
      return;
    } catch (error) {
      if (tries === 0 || !(isRecord(error) && error.code === 'EEXIST')) throw error;
    }
  }
}

/** A rename is kept when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
