import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { OutboundFailure } from '../../../platform/outbound/outbound-result';
import type { Row } from '../../../platform/resource/rows';
import type { Told } from '../../../platform/resource/takeover';
import { isOneOf } from '../../../platform/text/json';
import type { ArrivedFile } from '../../attachments/intake/arrived-file';
import { ImportedFiles } from '../../attachments/intake/imported-files';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { problemOf } from '../mapping/record-mapper';
import { FileTrouble } from '../services/file-fetcher';
import { ServiceTrouble } from '../services/service-trouble';
import { COLUMNS, type ComingFile, FILES, HOLDERS, nameOf } from './coming-file';
import { FileSources } from './file-sources';
import type { Delta } from './job-place';
import { type Entry, RecordBook, type Waiting } from './record-book';

/** Files that are fetched at once, each as a stream. */
const AT_ONCE = 4;
/** How often a file is asked for that breaks off, or does not end. */
const MAX_ATTEMPTS = 3;

/** A file that had its turn: it is in the store, or there is something wrong. */
export interface Fetched {
  waiting: Waiting;
  told: ComingFile | null;
  file: ArrivedFile | null;
  problem: { code: string; message: string; isPassing: boolean } | null;
  /** A row tells of it. */
  isKept: boolean;
}

/** Files of records, some at a time: fetched outside of any unit of work, and told of by rows inside of one. */
@Injectable()
export class Fetching {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
    private readonly files: ImportedFiles,
    private readonly sources: FileSources,
  ) {}

  /** The next files; none where all have had their turn. To be given back. @throws ServiceTrouble where it is no matter of one file */
  async some(job: Row<MigrationJob>): Promise<Fetched[]> {
    const waiting = await this.database.transaction(() => this.book.waiting(job.id, FILES, 0, AT_ONCE));
    const turns = await Promise.allSettled(waiting.map((each) => this.fetch(job, each)));
    const done = turns.flatMap((turn) => (turn.status === 'fulfilled' ? [turn.value] : []));
    const failed = turns.find((turn) => turn.status === 'rejected');
    if (!failed || done.some(({ file }) => file !== null)) return done;
    await this.giveBack(done);
    throw failed.reason;
  }

  /** Hangs files on their records. Inside the unit of work that moves the job on. */
  async keep(job: Row<MigrationJob>, fetched: readonly Fetched[]): Promise<Record<string, Delta>> {
    const heard: Told = job.options.suppress_events === false ? 'marked' : 'none';
    const entries: Entry[] = [];
    for (const each of fetched) entries.push(await this.entryOf(job, each, heard));
    await this.book.write(job.id, entries);
    const n = (status: Entry['status']): number => entries.filter((entry) => entry.status === status).length;
    return { [FILES]: { created: n('created'), failed: n('failed'), pending: n('pending') - entries.length } };
  }

  /** What no row tells of goes. */
  async giveBack(fetched: readonly Fetched[]): Promise<void> {
    for (const { file, isKept } of fetched) if (file && !isKept) await this.files.discard(file);
  }

  private async fetch(job: Row<MigrationJob>, waiting: Waiting): Promise<Fetched> {
    const told = comingFile(waiting.payload);
    const nothing: Fetched = { waiting, told, file: null, problem: null, isKept: false };
    const wrong = (code: string, message: string, isPassing = false): Fetched => ({
      ...nothing,
      problem: { code, message, isPassing },
    });
    if (!told) return wrong('malformed', 'It cannot be read.');
    const broken: { by?: OutboundFailure } = {};
    try {
      if ((told.size ?? 0) > this.files.maxBytes) return wrong('too_large', this.tooLarge());
      await this.files.requireRoom(told.size ?? 0);
      const { body, filename } = await this.sources.open(job, told);
      const source = Readable.from(passing(body, broken), { objectMode: false });
      source.once('close', () => body.destroy());
      return { ...nothing, file: await this.files.take(source, { ...told, filename }) };
    } catch (error) {
      const { by: cut } = broken;
      if (cut?.error.code === 'too_large') return wrong('too_large', this.tooLarge());
      if (cut) return wrong('broken_off', cut.error.message, true);
      if (error instanceof FileTrouble) return wrong(error.code, error.message, error.isPassing);
      if (error instanceof ServiceTrouble && (error.kind === 'refused' || error.kind === 'broken'))
        return wrong('refused', error.message);
      if (!(error instanceof ApiError)) throw error;
      // Store or scanner are away: that is no matter of this file.
      if (error.status >= 500) throw new ServiceTrouble('busy', error.message);
      const { code, message } = problemOf(error);
      return wrong(error.type === 'payload_too_large' ? 'too_large' : code, message);
    }
  }

  private tooLarge(): string {
    return `A file has at most ${this.files.maxBytes / 1_048_576} MB.`;
  }

  private async entryOf(job: Row<MigrationJob>, fetched: Fetched, heard: Told): Promise<Entry> {
    const { waiting, told, file, problem } = fetched;
    const entry: Entry = {
      ...{ entity: FILES, external_id: waiting.external_id, line: null, warnings: [], local_id: null, error: null },
      ...{ status: 'failed', payload: waiting.payload },
    };
    const failed = (code: string, message: string): Entry => ({
      ...entry,
      error: { code, field: null, message, retryable: true },
    });
    if (problem?.isPassing && waiting.attempts < MAX_ATTEMPTS) return { ...entry, status: 'pending' };
    if (!file || !told) return failed(problem?.code ?? 'malformed', problem?.message ?? 'It cannot be read.');
    const name = nameOf(job, told.holder);
    const holder = (await this.book.linked(told.of, [name])).get(name);
    const lost = (): Entry =>
      failed('unresolved', `"${told.holder.slice(0, 80)}" is no record of ${told.of} that is here.`);
    if (holder === undefined) return lost();
    try {
      const column = COLUMNS[told.of];
      const { is_inline, created_at } = told;
      const place = { column, holder, external_id: waiting.external_id, is_inline, created_at } as const;
      const id = await this.database.savepoint(() => this.files.attach(file, place, heard));
      if (id === null) return lost();
      this.database.afterCommit(() => void (fetched.isKept = true));
      return { ...entry, status: 'created', local_id: id, payload: null };
    } catch (error) {
      if (!(error instanceof ApiError && error.status < 500)) throw error;
      const { code, message } = problemOf(error);
      return failed(code, message);
    }
  }
}

/** The body of an answer; why it broke off is noted, because whoever stores it makes that its own trouble. */
async function* passing(body: Readable, broken: { by?: OutboundFailure }): AsyncGenerator<Buffer> {
  try {
    const chunks: AsyncIterable<Buffer> = body;
    yield* chunks;
  } catch (error) {
    if (error instanceof OutboundFailure) broken.by = error;
    throw new ApiError('service_unavailable', 'The file broke off.');
  }
}

/** What a row tells of a file; null where that is none. */
function comingFile(said: Readonly<Record<string, unknown>>): ComingFile | null {
  const { id, of, holder, at } = said;
  const isOne = typeof id === 'string' && typeof of === 'string' && isOneOf(HOLDERS, of) && typeof holder === 'string';
  if (!isOne || typeof at !== 'object' || at === null) return null;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const moment = text(said.created_at);
  return {
    ...{ id, of, holder, filename: text(said.filename), type: text(said.type), is_inline: said.is_inline === true },
    size: typeof said.size === 'number' && said.size >= 0 ? said.size : null,
    created_at: moment !== null && !Number.isNaN(Date.parse(moment)) ? new Date(moment).toISOString() : null,
    at: Object.fromEntries(Object.entries(at).map(([name, value]) => [name, String(value)])),
  };
}
