import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { resourceIfAny } from '../../../platform/resource/resource';
import { Takeovers } from '../../../platform/resource/takeover';
import { MigrationJob } from '../jobs/migration-job.entity';
import { FILES } from '../run/coming-file';
import { RecordBook } from '../run/record-book';
import type { MigrationReport, ReportedEntity } from './records.dto';

/** Compares the source with what is here now, by counting both. */
@Injectable()
export class MigrationReports {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
  ) {}

  of(id: number): Promise<MigrationReport> {
    return this.database.transaction(async () => {
      const job = (await this.jobs.find(id)) ?? this.jobs.missing(id);
      const counts = await this.book.counts(id);
      const entities: ReportedEntity[] = [];
      const files = resourceIfAny(FILES);
      const known = this.takeovers.all().map((takeover): { name: string; table: string } => takeover.resource);
      for (const resource of files ? [...known, files] : known) {
        const own = counts.filter(({ entity }) => entity === resource.name);
        if (own.length === 0 && job.tally[resource.name] === undefined) continue;
        const records = Object.fromEntries(own.map(({ status, n }) => [status, n]));
        entities.push({ ...(await this.compared(job, resource.name, resource.table)), records });
      }
      return { entities };
    });
  }

  private async compared(
    { id, tally }: Row<MigrationJob>,
    entity: string,
    table: string,
  ): Promise<Omit<ReportedEntity, 'records'>> {
    const key = [currentWorkspaceId(), id, entity];
    const [row] = await this.database.query<{ present: number; gone: number }>(
      `SELECT count(t.id)::integer AS present, count(*) FILTER (WHERE t.id IS NULL AND r.status = 'created')::integer AS gone
       FROM migration_records r LEFT JOIN ${table} t ON t.workspace_id = $1 AND t.id = r.local_id
       WHERE r.workspace_id = $1 AND r.job_id = $2 AND r.entity = $3 AND r.status IN ('created', 'updated', 'skipped')`,
      key,
    );
    const failures = await this.database.query<{ code: string; field: string | null; count: number }>(
      `SELECT error ->> 'code' AS code, error ->> 'field' AS field, count(*)::integer AS count FROM migration_records
       WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND status = 'failed' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 20`,
      key,
    );
    return { entity, source: tally[entity]?.total ?? 0, present: row?.present ?? 0, gone: row?.gone ?? 0, failures };
  }
}
