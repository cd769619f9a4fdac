import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import type { Row } from '../../../platform/resource/rows';
import { type Takeover, Takeovers } from '../../../platform/resource/takeover';
import { MigrationFiles, type StoredFile } from '../files/migration-files';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MigrationJob } from '../jobs/migration-job.entity';
import { type Mapping, mapperOf } from '../mapping/record-mapper';
import { ServiceFeeds } from '../services/service-feeds';
import { isName, MAX_NAMES, type Names } from '../sources/names';
import { recordsOf } from '../sources/reading';
import type { SourceRecord } from '../sources/source-record';
import { ahead } from './ahead';
import type { Feed, FedPage } from './feed';
import { BEGINNING, type Place } from './job-place';
import { RecordBook } from './record-book';

/** Records of a page, and the characters that end it sooner. */
export const PAGE = 200;
const PAGE_BYTES = 2 * 1_048_576;

/** What a job does with one entity. */
export interface Step {
  /** Where it stands among all that can come in, whatever this job has of it by now. */
  index: number;
  takeover: Takeover;
  entity: string;
  /** Where its records come from; null where they only wait. */
  feed: Feed | null;
  mapping: Mapping;
}

/** The step at a place, or the next one behind it. */
export function stepAt(steps: readonly Step[], { step }: Place): Step | undefined {
  return steps.find(({ index }) => index >= step);
}

/** What a job consists of, and the pages of its files. */
@Injectable()
export class JobSteps {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly files: MigrationFiles,
    private readonly services: ServiceFeeds,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
    private readonly pipe: ValidationPipe,
  ) {}

  /** The entities of a job in the order of their dependency: those that it has files or pushed records of, or that its service has. */
  async of(job: Row<MigrationJob>): Promise<Step[]> {
    const { files, waiting } = await this.database.transaction(async () => ({
      files: await this.files.of(job.id),
      waiting: await this.book.counts(job.id),
    }));
    return this.takeovers.all().flatMap((takeover, index) => {
      const entity = takeover.resource.name;
      const file = files.find((each) => each.entity === entity);
      const feed = file ? this.fileFeed(file) : this.services.of(job, takeover);
      if (
        !this.takes(job, entity) ||
        (!feed && !waiting.some((each) => each.entity === entity && each.status === 'pending'))
      )
        return [];
      return [{ index, takeover, entity, feed, mapping: this.mapping(job, takeover) }];
    });
  }

  /** Whether records of an entity come in with a job. */
  takes({ entities }: Row<MigrationJob>, entity: string): boolean {
    return this.takeovers.of(entity) !== undefined && (entities.length === 0 || entities.includes(entity));
  }

  mapping(job: Row<MigrationJob>, takeover: Takeover): Mapping {
    return mapperOf(takeover, job.mapping[takeover.resource.name] ?? {}, job.options, this.pipe);
  }

  /** What an archive calls records that do not come in, by their ids there. */
  async names(job: Row<MigrationJob>): Promise<Names> {
    const files = await this.database.transaction(() => this.files.of(job.id));
    const found = new Map<string, Record<string, string>>();
    for (const file of files.filter(({ entity }) => job.source === 'archive' && isName(entity))) {
      const names: Record<string, string> = {};
      for await (const { records } of this.fileFeed(file)(BEGINNING)) {
        for (const { fields } of records)
          if (typeof fields?.id === 'number' && typeof fields.name === 'string') names[fields.id] = fields.name;
        if (Object.keys(names).length >= MAX_NAMES - PAGE) break;
      }
      found.set(file.entity, names);
    }
    return found;
  }

  private fileFeed(file: StoredFile): Feed {
    return (from) => ahead(this.pages(file, from));
  }

  /** The pages of a file from a place on, each with the place behind it. */
  private async *pages(file: StoredFile, from: Place): AsyncGenerator<FedPage, void> {
    const open = (start: number): Promise<AsyncIterable<Buffer>> =>
      this.files.open(file.storage_key, start, file.bytes);
    let [records, begun]: [SourceRecord[], number] = [[], from.bytes];
    const page = (): FedPage => {
      const { bytes, line } = records.at(-1)?.next ?? { bytes: from.bytes, line: from.line };
      const full = { records, next: { ...from, bytes, line } };
      [records, begun] = [[], bytes];
      return full;
    };
    for await (const record of recordsOf(file, { bytes: from.bytes, line: from.line }, open)) {
      records.push(record);
      if (records.length === PAGE || record.next.bytes - begun > PAGE_BYTES) yield page();
    }
    if (records.length > 0) yield page();
  }

  /**
   * A unit of work of a job as it is now, held until the end of it; null, and nothing done, where the job has another status by now, or
   * somebody else was faster: each page counts one on.
   */
  move<T>(
    { id, pages }: Row<MigrationJob>,
    status: MigrationJob['status'],
    work: (job: Row<MigrationJob>) => Promise<T>,
  ): Promise<T | null> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(id);
      return job?.status === status && job.pages === pages ? work(job) : null;
    });
  }

  /** What a page came to; no change of the record that anybody would be told of. Inside the unit of work. */
  async note(id: number, to: Partial<Row<MigrationJob>>): Promise<void> {
    const entries = Object.entries(to);
    const columns = entries.map(([name], index) => `${name} = $${index + 3}`);
    const values = entries.map(([, value]) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    );
    await this.database.query(
      `UPDATE migration_jobs SET ${columns.join(', ')}, touched_at = now() WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, ...values],
    );
  }
}
