// Own reads: what comments show of files is undone for some hundred of them at once, by two columns.
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { Left, Told } from '../../../platform/resource/takeover';
import { removeUntold } from '../../../platform/resource/untold-writes';
import { Attachment } from '../attachment.entity';
import { AttachmentHolders } from '../holders/attachment-holders';
import type { HolderColumn } from '../holders/attachment-holder';
import { AttachmentQuota } from '../upkeep/attachment-quota';
import { AttachmentsService } from '../attachments.service';
import type { ArrivedFile, ToldFile } from './arrived-file';
import { FileIntake } from './file-intake';
import { UnwantedFiles } from './unwanted-files';

/** What another system knows of a file, and what it hangs on here. */
export interface ImportedFile {
  column: HolderColumn;
  holder: number;
  external_id: string;
  is_inline: boolean;
  /** ISO 8601; now where nobody knows. */
  created_at: string | null;
}

/** How files come in from another system: looked at like any other, counted by the quota, hung on records that are here. */
@Injectable()
export class ImportedFiles {
  constructor(
    @InjectStore(Attachment) private readonly records: Store<Attachment>,
    private readonly database: Database,
    private readonly intake: FileIntake,
    private readonly unwanted: UnwantedFiles,
    private readonly quota: AttachmentQuota,
    private readonly holders: AttachmentHolders,
    private readonly attachments: AttachmentsService,
  ) {}

  /** Bytes that a file may have. */
  get maxBytes(): number {
    return this.intake.maxBytes;
  }

  /** @throws ApiError 422 where the workspace is full. @param size bytes; 0 where nobody knows */
  requireRoom(size: number): Promise<void> {
    return this.quota.requireRoom(size);
  }

  /** Takes a file into the store; no row tells of it yet. @throws ApiError as `FileIntake` */
  take(source: Readable, told: ToldFile): Promise<ArrivedFile> {
    return this.intake.take(source, told);
  }

  /** Gives a file back unless a row tells of it. Outside of any unit of work. */
  discard(file: Pick<ArrivedFile, 'storage_key'>): Promise<void> {
    return this.unwanted.discard(file);
  }

  /** The row of a file that has arrived; null where its record is gone. Inside the unit of work. @throws ApiError 422 where there is no room */
  async attach(file: ArrivedFile, told: ImportedFile, heard: Told): Promise<number | null> {
    const holder = this.holders.of(told.column);
    const place = (await holder.place?.(told.holder)) ?? null;
    if (!place) return null;
    await this.quota.claim(file.size);
    const moment = told.created_at ?? (await this.database.moment());
    const { external_id, is_inline } = told;
    const values: Values<Attachment> = { ...file, ...place, external_id, is_inline };
    const dated = { ...values, created_at: moment, updated_at: moment };
    const [id = 0] = await this.records.insertMany([dated], heard);
    await holder.shows?.(told.holder, await this.attachments.attached([id]));
    return id;
  }

  /** Takes files back that nobody has moved since; the ids that are gone. Inside the unit of work. */
  async takeBack(taken: readonly Left[]): Promise<number[]> {
    const rows = await this.database.query<{ id: number; comment_id: number | null }>(
      'SELECT id, comment_id FROM attachments WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
      [currentWorkspaceId(), taken.map(({ id }) => id)],
    );
    const gone = await removeUntold(this.database, this.records.resource, taken);
    const left = new Set(gone);
    for (const { id, comment_id } of rows)
      if (comment_id !== null && left.has(id)) await this.holders.of('comment_id').shows?.(comment_id, [], [id]);
    return gone;
  }
}
