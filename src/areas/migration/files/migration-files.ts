import { Injectable, Logger } from '@nestjs/common';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError, invalid } from '../../../platform/errors/api-error';
import { InboxStore } from '../../../platform/files/file-store';
import { newKey } from '../../../platform/files/keys';
import { Takeovers } from '../../../platform/resource/takeover';
import type { MigrationSource } from '../jobs/migration-states';
import { FILES } from '../run/coming-file';
import type { FileForm } from '../sources/source-record';
import { chosenSheets, linesOf } from '../sources/xlsx/sheet-lines';
import { Unreadable } from '../sources/xlsx/xml-events';
import { isName } from '../sources/names';
import { sheetsOf } from '../sources/xlsx/workbook';
import { formOf } from './file-form';
import { type CountBytes, InboxRoom } from './inbox-room';
import { type InlineRows, linesOfRows } from './inline-rows';
import { Inspection, MAX_WORKBOOK_BYTES } from './inspected';

/** A file as its row tells of it. */
export interface StoredFile extends FileForm {
  entity: string;
  storage_key: string;
  filename: string | null;
  sha256: string;
}

/** What is made of what a request sends. */
interface Taking {
  taken: StoredFile[];
  filename: string | null;
  count: CountBytes;
}

/** Files of attachments in an archive. */
const MAX_PACKED = 100_000;

const COLUMNS =
  'entity, storage_key, filename, bytes::float8 AS bytes, sha256, format, encoding, delimiter, columns, begins_at::float8 AS begins_at';

/** What a file that came in an archive is called, beside those of entities. @param id of the attachment there */
export function packedFile(id: string): string {
  return `files/${id}`;
}

/** The files of jobs: in the store first, then told of by a row. What gets no row, or loses it, is removed. */
@Injectable()
export class MigrationFiles {
  private readonly logger = new Logger(MigrationFiles.name);

  constructor(
    private readonly database: Database,
    private readonly store: InboxStore,
    private readonly takeovers: Takeovers,
    private readonly room: InboxRoom,
  ) {}

  /** Takes a file in as it comes; an archive becomes a file for each entity. Nothing is left where it fails. */
  async take(
    source: MigrationSource,
    entity: string,
    filename: string | null,
    content: Readable,
  ): Promise<StoredFile[]> {
    const taking: Taking = { taken: [], filename, count: () => undefined };
    const { taken } = taking;
    try {
      await this.room.counting(async (count) => {
        taking.count = count;
        if (source === 'xlsx') await this.takeWorkbook(entity, content, taking);
        else if (source === 'archive') await this.takeArchive(content, taking);
        else taken.push(await this.takeOne(source, entity, await unpacked(content), taking));
      });
      if (taken.length === 0) invalid('file', 'empty', 'The file has nothing that can be taken over.');
      return taken;
    } catch (error) {
      content.destroy();
      await this.discard(taken.map(({ storage_key }) => storage_key));
      if (error instanceof ApiError || !isUnreadable(error)) throw error;
      return invalid('file', 'format', `The file cannot be unpacked: ${error.message}.`);
    }
  }

  /** The same of rows that came with the job: a file for each entity, read like those that are sent. */
  async takeRows(rows: InlineRows): Promise<StoredFile[]> {
    const taken: StoredFile[] = [];
    try {
      await this.room.counting(async (count) => {
        const taking = { taken, filename: null, count };
        for (const [entity, each] of Object.entries(rows))
          taken.push(await this.takeOne('ndjson', entity, Readable.from(linesOfRows(each)), taking));
      });
      return taken;
    } catch (error) {
      await this.discard(taken.map(({ storage_key }) => storage_key));
      throw error;
    }
  }

  /** Makes files those of a job, in place of what it had. Inside the unit of work, which holds the jobs of the workspace. @throws ApiError 422 `quota` */
  async keep(jobId: number, files: readonly StoredFile[]): Promise<void> {
    const key = [currentWorkspaceId(), jobId];
    for (const { entity, columns, ...file } of files) {
      const gone = await this.database.query<{ storage_key: string }>(
        'DELETE FROM migration_files WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 RETURNING storage_key',
        [...key, entity],
      );
      this.forget(gone);
      await this.database.query(
        `INSERT INTO migration_files (workspace_id, job_id, entity, storage_key, filename, bytes, sha256, format, encoding, delimiter, columns, begins_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          ...key,
          entity,
          ...[file.storage_key, file.filename, file.bytes, file.sha256, file.format, file.encoding, file.delimiter],
          ...[columns, file.begins_at],
        ],
      );
    }
    if (files.length > 0) await this.room.claim();
  }

  /** What an archive has of an attachment. Inside a unit of work. */
  async packed(jobId: number, name: string): Promise<Pick<StoredFile, 'storage_key' | 'bytes'> | null> {
    const [file] = await this.database.query<{ storage_key: string; bytes: number }>(
      'SELECT storage_key, bytes::float8 AS bytes FROM migration_files WHERE workspace_id = $1 AND job_id = $2 AND entity = $3',
      [currentWorkspaceId(), jobId, name],
    );
    return file ?? null;
  }

  /** Those of a job that records are read from. Inside a unit of work. */
  of(jobId: number): Promise<StoredFile[]> {
    return this.database.query<StoredFile & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM migration_files WHERE workspace_id = $1 AND job_id = $2 AND entity NOT LIKE 'files/%'`,
      [currentWorkspaceId(), jobId],
    );
  }

  /** Whether rows tell of any of these. Inside a unit of work. */
  async areKept(keys: readonly string[]): Promise<boolean> {
    const text = 'SELECT FROM migration_files WHERE workspace_id = $1 AND storage_key = ANY($2::text[]) LIMIT 1';
    return (await this.database.query(text, [currentWorkspaceId(), keys])).length > 0;
  }

  /** Takes those of a job away, inside the unit of work that ends it; what they hold goes behind the commit. */
  async takeAway(jobId: number): Promise<void> {
    const gone = await this.database.query<{ storage_key: string }>(
      'DELETE FROM migration_files WHERE workspace_id = $1 AND job_id = $2 RETURNING storage_key',
      [currentWorkspaceId(), jobId],
    );
    this.forget(gone);
  }

  /** What is in a file from a byte on. @throws FileGone */
  open(key: string, start: number, bytes: number): Promise<Readable> {
    return start >= bytes ? Promise.resolve(Readable.from([])) : this.store.open(key, { start, end: bytes - 1 });
  }

  /** Removes what no row tells of. What cannot be removed now, the upkeep finds. */
  async discard(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.store.remove(keys).catch((error: unknown) => {
      this.logger.warn(`A file of a migration could not be removed: ${String(error)}`);
    });
  }

  private forget(gone: readonly { storage_key: string }[]): void {
    if (gone.length > 0) this.database.afterCommit(() => void this.discard(gone.map(({ storage_key }) => storage_key)));
  }

  private async takeOne(
    source: MigrationSource,
    entity: string,
    content: AsyncIterable<Buffer>,
    { filename, count }: Taking,
  ): Promise<StoredFile> {
    const inspection = new Inspection(count);
    const storage_key = newKey(currentWorkspaceId());
    await this.store.put(storage_key, Readable.from(inspection.through(content), { objectMode: false }), 'text/plain');
    try {
      const form = await formOf(source, inspection);
      return { entity, storage_key, filename, sha256: inspection.sha256, ...form };
    } catch (error) {
      await this.discard([storage_key]);
      throw error;
    }
  }

  /** A workbook is read from wherever its parts are, so it is kept until its sheets are lines. */
  private async takeWorkbook(entity: string, content: Readable, taking: Taking): Promise<void> {
    const key = newKey(currentWorkspaceId());
    const packed = new Inspection(taking.count, MAX_WORKBOOK_BYTES);
    await this.store.put(key, Readable.from(packed.through(content), { objectMode: false }), 'application/zip');
    try {
      const sheets = await sheetsOf((start, end) => this.store.open(key, { start, end }), packed.bytes);
      const known = this.takeovers.all().map(({ resource }) => resource.name);
      for (const [name, sheet] of chosenSheets(sheets, known, entity))
        taking.taken.push(await this.takeOne('ndjson', name, linesOf(sheet), taking));
    } finally {
      await this.discard([key]);
    }
  }

  /** Files of one entity follow each other in an archive. */
  private async takeArchive(content: Readable, taking: Taking): Promise<void> {
    const { taken } = taking;
    const entries = extract();
    pipeline(content, createGunzip(), entries, () => undefined);
    const names = entries[Symbol.asyncIterator]();
    let entry = await names.next();
    while (!entry.done) {
      const packed = packedIn(entry.value.header.name);
      if (packed !== null) {
        if (taken.length > MAX_PACKED) invalid('file', 'too_large', `An archive has at most ${MAX_PACKED} files.`);
        taken.push(await this.takePacked(packed, entry.value, taking));
        entry = await names.next();
        continue;
      }
      const entity = this.entityOf(entry.value.header.name);
      if (entity === null) {
        entry.value.resume();
        entry = await names.next();
        continue;
      }
      const entityOf = (name: string): string | null => this.entityOf(name);
      const together = async function* (): AsyncGenerator<Buffer> {
        while (!entry.done && entityOf(entry.value.header.name) === entity) {
          const bytes: AsyncIterable<Buffer> = entry.value;
          yield* bytes;
          entry = await names.next();
        }
      };
      taken.push(await this.takeOne('ndjson', entity, together(), taking));
    }
  }

  private entityOf(name: string): string | null {
    const [, resource = ''] = /^([a-z_]+)\/\d+\.ndjson$/.exec(name) ?? [];
    return this.takeovers.of(resource) || resource === FILES || isName(resource) ? resource : null;
  }

  /** A file as it is; what it says of itself is read when it is hung on its record. */
  private async takePacked(entity: string, content: AsyncIterable<Buffer>, { count }: Taking): Promise<StoredFile> {
    const inspection = new Inspection(count);
    const storage_key = newKey(currentWorkspaceId());
    const source = Readable.from(inspection.asIs(content), { objectMode: false });
    await this.store.put(storage_key, source, 'application/octet-stream');
    const form = { format: 'ndjson', encoding: 'binary', delimiter: null, columns: null, begins_at: 0 } as const;
    return { entity, storage_key, filename: null, sha256: inspection.sha256, bytes: inspection.bytes, ...form };
  }
}

/** The file that an entry of an archive is (`files/<id>/<name>`); null where it is none. */
function packedIn(path: string): string | null {
  const [, id] = /^files\/(\d{1,15})\/[^/]/.exec(path) ?? [];
  return id === undefined ? null : packedFile(id);
}

/** What was compressed is kept as it was before. */
async function unpacked(content: Readable): Promise<AsyncIterable<Buffer>> {
  const source: AsyncIterable<Buffer> = content;
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  const whole = async function* (): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const isPacked = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  return isPacked ? pipeline(Readable.from(whole(), { objectMode: false }), createGunzip(), () => undefined) : whole();
}

function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unreadable) return true;
  return 'code' in error ? String(error.code).startsWith('Z_') : /tar|header/i.test(error.message);
}
