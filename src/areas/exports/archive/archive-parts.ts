import { Injectable, Logger } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ArchiveStore, type ByteRange } from '../../../platform/files/file-store';
import { newKey } from '../../../platform/files/keys';
import { joined } from './joined';

/** A part that is in the store. */
export interface StoredPart {
  storage_key: string;
  bytes: number;
  /** Of the list of checksums in it. */
  checksums_sha256: string;
}

const COLUMNS = 'storage_key, bytes::float8 AS bytes, checksums_sha256';

/** The parts of archives: in the store first, then told of by a row. What gets no row, or loses it, is removed. */
@Injectable()
export class ArchiveParts {
  private readonly logger = new Logger(ArchiveParts.name);

  constructor(
    private readonly database: Database,
    private readonly store: ArchiveStore,
  ) {}

  /** Stores a part while it is written, and answers its key. */
  async put(content: Readable): Promise<string> {
    const key = newKey(currentWorkspaceId());
    await this.store.put(key, content, 'application/gzip');
    return key;
  }

  /** Those of an export, in order. Inside a unit of work. */
  of(exportId: number): Promise<StoredPart[]> {
    return this.database.query<StoredPart>(
      `SELECT ${COLUMNS} FROM export_parts WHERE workspace_id = $1 AND export_id = $2 ORDER BY number`,
      [currentWorkspaceId(), exportId],
    );
  }

  /** Inside the unit of work that makes the part one of the export. @param number its place, from 1 */
  async add(exportId: number, number: number, part: StoredPart): Promise<void> {
    await this.database.query(
      `INSERT INTO export_parts (workspace_id, export_id, number, storage_key, bytes, checksums_sha256) VALUES ($1, $2, $3, $4, $5, $6)`,
      [currentWorkspaceId(), exportId, number, part.storage_key, part.bytes, part.checksums_sha256],
    );
  }

  /** Takes an archive away, inside the unit of work that ends the export; what it holds goes behind the commit. */
  async takeAway(exportId: number): Promise<void> {
    const gone = await this.database.query<{ storage_key: string }>(
      `DELETE FROM export_parts WHERE workspace_id = $1 AND export_id = $2 RETURNING storage_key`,
      [currentWorkspaceId(), exportId],
    );
    this.database.afterCommit(() => void this.discard(gone.map(({ storage_key }) => storage_key)));
  }

  /** Removes what no row tells of. What cannot be removed now, the upkeep finds. */
  async discard(keys: readonly string[]): Promise<void> {
    await this.store.remove(keys).catch((error: unknown) => {
      this.logger.warn(`A part of an export could not be removed: ${String(error)}`);
    });
  }

  /** @throws FileGone where the store has lost the first part that is asked for */
  open(parts: readonly StoredPart[], range?: ByteRange): Promise<Readable> {
    return joined(
      parts.map(({ bytes, storage_key }) => ({ bytes, open: (part) => this.store.open(storage_key, part) })),
      range,
    );
  }
}
