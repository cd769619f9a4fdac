import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import { MigrationFiles, packedFile, type StoredFile } from '../files/migration-files';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { FileTrouble } from '../services/file-fetcher';
import { recordsOf } from '../sources/reading';
import { COLUMNS, type ComingFile, FILES, takesFiles } from './coming-file';
import type { Place } from './job-place';

/** Records that are read at once. */
const PAGE = 500;

/** Files that an archive tells of, and the place behind them. */
export interface ArchivedPage {
  files: ComingFile[];
  next: Place;
}

/** The files of an archive: what it says of attachments, and what it has of them. */
@Injectable()
export class ArchivedFiles {
  constructor(
    private readonly database: Database,
    private readonly files: MigrationFiles,
  ) {}

  /** The next attachments that the archive of a job tells of; null where it has none, or all of them were told. */
  async page(job: Row<MigrationJob>, place: Place): Promise<ArchivedPage | null> {
    if (job.source !== 'archive' || !takesFiles(job)) return null;
    const [file] = (await this.stored(job)).filter(({ entity }) => entity === FILES);
    if (!file || place.bytes >= file.bytes) return null;
    const open = (start: number): Promise<Readable> => this.files.open(file.storage_key, start, file.bytes);
    const page: ArchivedPage = { files: [], next: { ...place, bytes: file.bytes } };
    let n = 0;
    for await (const { fields, next } of recordsOf(file, { bytes: place.bytes, line: place.line }, open)) {
      const coming = fields && fileOf(fields);
      if (coming) page.files.push(coming);
      if (++n === PAGE) return { ...page, next: { ...place, ...next } };
    }
    return page;
  }

  /** What the archive has of a file. @throws FileTrouble */
  async open(job: Row<MigrationJob>, { id }: ComingFile): Promise<Readable> {
    const file = await this.database.transaction(() => this.files.packed(job.id, packedFile(id)));
    if (!file) throw new FileTrouble('gone', 'The archive has not the file itself.', false);
    return this.files.open(file.storage_key, 0, file.bytes);
  }

  private stored({ id }: Row<MigrationJob>): Promise<StoredFile[]> {
    return this.database.transaction(() => this.files.of(id));
  }
}

/** What a file hangs on, as far as that comes in: a comment counts more than its ticket. */
const HANGING = ['ticket_comments', 'tickets', 'kb_articles'] as const;

/** A record of an attachment as exports have it; null for those of quotes, messages, people, and of nothing. */
function fileOf(said: Readonly<Record<string, unknown>>): ComingFile | null {
  const { id } = said;
  const of = HANGING.find((each) => typeof said[COLUMNS[each]] === 'number');
  if (typeof id !== 'number' || of === undefined) return null;
  const text = (name: string): string | null => (typeof said[name] === 'string' ? said[name] : null);
  return {
    ...{ id: String(id), of, holder: String(said[COLUMNS[of]]) },
    ...{
      filename: text('filename'),
      type: text('content_type'),
      size: typeof said.size === 'number' ? said.size : null,
    },
    ...{ is_inline: said.is_inline === true, created_at: text('created_at'), at: {} },
  };
}
