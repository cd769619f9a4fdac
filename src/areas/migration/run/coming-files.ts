import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { idsOf } from '../../../platform/resource/record-ids';
import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { type ComingFile, FILES, nameOf } from './coming-file';
import type { Delta } from './job-place';
import { RecordBook } from './record-book';
import { soundJson } from './sound';

/** Notes the files of records that come in; they have their turn when all records are here. */
@Injectable()
export class ComingFiles {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
  ) {}

  /** Inside the unit of work of the page that names them. @returns what became of them */
  async note(job: Row<MigrationJob>, files: readonly ComingFile[]): Promise<Delta> {
    const named = new Map(files.map((file) => [nameOf(job, file.id), file]));
    const ids = [...named.keys()];
    if (ids.length === 0) return {};
    const here = new Map([
      ...(await idsOf(this.database, FILES, 'external_id', ids)),
      ...(await this.book.linked(FILES, ids)),
    ]);
    const entries = [...named].map(([external_id, file]) => {
      const local_id = here.get(external_id) ?? null;
      return {
        external_id,
        local_id,
        status: local_id === null ? 'pending' : 'skipped',
        payload: local_id === null ? file : null,
      };
    });
    const rows = await this.database.query<{ status: string; n: number }>(
      `WITH noted AS (
         INSERT INTO migration_records (workspace_id, job_id, entity, external_id, status, local_id, payload)
         SELECT $1, $2, $3, e.external_id, e.status, e.local_id, e.payload
         FROM json_to_recordset($4::json) AS e(external_id text, status text, local_id bigint, payload jsonb)
         ON CONFLICT (workspace_id, job_id, entity, external_id) DO NOTHING RETURNING status)
       SELECT status, count(*)::integer AS n FROM noted GROUP BY 1`,
      [currentWorkspaceId(), job.id, FILES, soundJson(entries)],
    );
    const n = (status: string): number => rows.find((row) => row.status === status)?.n ?? 0;
    return { total: n('pending') + n('skipped'), pending: n('pending'), skipped: n('skipped') };
  }
}
