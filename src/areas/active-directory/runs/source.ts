import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import type { DirectoryConnection } from '../connections/connection.entity';
import type { Snapshot } from '../engine/objects';
import { merged, type Part } from '../push/part';
import type { DirectoryRun } from './run.entity';

/** The directory cannot be read. The message is one sentence for whoever set it up. */
export class DirectoryUnreadable extends Error {
  override readonly name = 'DirectoryUnreadable';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What was read, and from where the next run can go on. */
export interface Reading {
  snapshot: Snapshot;
  cursor: Record<string, unknown> | null;
}

/** Where the objects of a run come from. */
@Injectable()
export class DirectorySource {
  constructor(private readonly database: Database) {}

  /** @throws DirectoryUnreadable */
  async read(_connection: Row<DirectoryConnection>, run: Row<DirectoryRun>): Promise<Reading> {
    const parts = await this.database.transaction(() =>
      this.database.query<{ content: Part }>(
        `SELECT content FROM directory_parts WHERE workspace_id = $1 AND run_id = $2 ORDER BY part`,
        [currentWorkspaceId(), run.id],
      ),
    );
    // Nothing was sent: what is known is compared again, and nobody is missing.
    const mode = parts.length === 0 ? 'delta' : run.mode;
    return { snapshot: { ...merged(parts.map(({ content }) => content)), mode, unreadable: [] }, cursor: null };
  }
}
