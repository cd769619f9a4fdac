// Own reads: upkeep goes over the files of all workspaces, which a repository is confined from.
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { FileStore, type StoredFile } from '../../../platform/files/file-store';
import { keyOfOriginal } from '../../../platform/files/keys';
import { eachAlone } from '../../../platform/schedule/each-alone';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Attachment } from '../attachment.entity';
import { unattached } from '../attachment.resource';
import { holderOf } from '../holders/attachment-holder';
import { keysOf } from '../thumbnails/thumbnails';

const MINUTE_MS = 60_000;
const BATCH = 200;
const PAGE = 500;
/** What is younger may still get a row, or a record. */
const ORPHAN_HOURS = 24;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Takes away what nobody wants: files that no record ever named, files whose rows are gone, and files without rows. */
@Injectable()
export class AttachmentUpkeep implements OnModuleInit {
  private readonly logger = new Logger(AttachmentUpkeep.name);
  /** How far the comparison of store and rows has come; null = it begins anew. */
  private reached: string | null = null;

  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly files: FileStore,
    @InjectStore(Attachment) private readonly records: Store<Attachment>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('attachments-unattached', 10 * MINUTE_MS, () => this.dropUnattached());
    this.jobs.register('attachments-waste', MINUTE_MS, () => this.emptyWaste());
    this.jobs.register('attachments-compare', 60 * MINUTE_MS, () => this.compare());
  }

  /** Files that were uploaded and never attached, with an event each. One that cannot be dropped keeps no other waiting. */
  private async dropUnattached(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<{ workspace_id: number; id: number }>(
      `SELECT workspace_id, id FROM attachments a WHERE ${unattached('a')} AND created_at < now() - interval '${ORPHAN_HOURS} hours'
       ORDER BY created_at LIMIT ${BATCH}`,
    );
    const drop = ({ workspace_id, id }: (typeof due)[number]): Promise<void> =>
      this.database.inWorkspace(workspace_id, ACTOR, () =>
        this.database.transaction(async () => {
          const file = await this.records.lockIfAny(id);
          // A record may have named it a moment ago.
          if (file && !holderOf(file)) await this.records.remove(id);
        }),
      );
    await eachAlone(due, drop, 'files that no record names could not be dropped');
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** Files whose rows are gone, with what was made of them. Their keys are kept until the store has let go. */
  private async emptyWaste(): Promise<typeof RUN_AGAIN | undefined> {
    const gone = await this.database.query<{ storage_key: string }>(
      `DELETE FROM attachment_waste WHERE (workspace_id, storage_key) IN
         (SELECT workspace_id, storage_key FROM attachment_waste ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING storage_key`,
    );
    await this.files.remove(gone.flatMap(({ storage_key }) => keysOf(storage_key)));
    return gone.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** Walks over store and rows in the same order, a page at a time. */
  private async compare(): Promise<typeof RUN_AGAIN | undefined> {
    const after = this.reached;
    const stored = await this.files.list(after, PAGE);
    const last = stored.length === PAGE ? (stored.at(-1)?.key ?? null) : null;
    const orphans = await this.withoutRows(stored);
    await this.files.remove(orphans);
    if (orphans.length > 0) this.logger.warn(`${orphans.length} files without a record were removed.`);
    const lost = await this.withoutFiles(stored, after, last);
    if (lost.n > 0)
      this.logger.error(`The store has lost the content of ${lost.n} attachments, ${lost.first} among them.`);
    this.reached = last;
    return last === null ? undefined : RUN_AGAIN;
  }

  /** Keys of old files that no row tells of, nor what they were made of. */
  private async withoutRows(stored: readonly StoredFile[]): Promise<string[]> {
    const old = stored.filter(({ at }) => at.getTime() < Date.now() - ORPHAN_HOURS * 60 * MINUTE_MS);
    if (old.length === 0) return [];
    const rows = await this.database.query<{ key: string }>(
      `SELECT storage_key AS key FROM attachments WHERE storage_key = ANY($1::text[])`,
      [old.map(({ key }) => keyOfOriginal(key))],
    );
    const known = new Set(rows.map(({ key }) => key));
    return old.map(({ key }) => key).filter((key) => !known.has(keyOfOriginal(key)));
  }

  /** Rows whose files are not among those of a page, though they would be. */
  private async withoutFiles(
    stored: readonly StoredFile[],
    after: string | null,
    last: string | null,
  ): Promise<{ n: number; first: string | null }> {
    const [lost] = await this.database.query<{ n: number; first: string | null }>(
      `SELECT count(*) AS n, min(storage_key) AS first FROM attachments
       WHERE storage_key > $1 AND ($2::text IS NULL OR storage_key <= $2) AND NOT storage_key = ANY($3::text[])
         AND created_at < now() - interval '1 hour'`,
      [after ?? '', last, stored.map(({ key }) => key)],
    );
    return lost ?? { n: 0, first: null };
  }
}
