import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { ArchiveStore } from '../../platform/files/file-store';
import type { Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { ArchiveParts } from './archive/archive-parts';
import { Export } from './export.entity';

const MINUTE_MS = 60_000;
const BATCH = 100;
const PAGE = 500;
/** What is younger may still get a row. */
const ORPHAN_MS = 60 * MINUTE_MS;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Ends exports whose time is over and those that got stuck, and removes parts that no row tells of. */
@Injectable()
export class ExportUpkeep implements OnModuleInit {
  /** How far the comparison of store and rows has come; null = it begins anew. */
  private reached: string | null = null;

  constructor(
    @InjectStore(Export) private readonly exports: Store<Export>,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
    private readonly parts: ArchiveParts,
    private readonly store: ArchiveStore,
  ) {}

  onModuleInit(): void {
    this.jobs.register('exports-over', 10 * MINUTE_MS, () => this.endAll(), { byClock: true });
    this.jobs.register('exports-compare', 60 * MINUTE_MS, () => this.compare());
  }

  private async endAll(): Promise<typeof RUN_AGAIN | undefined> {
    const over = await this.database.query<{ workspace_id: number; id: number; status: Export['status'] }>(OVER);
    for (const { workspace_id: workspaceId, id, status } of over)
      await this.database.inWorkspace(workspaceId, ACTOR, () =>
        this.database.transaction(async () => {
          const row = await this.exports.lockIfAny(id);
          // It moved on a moment ago.
          if (row?.status !== status) return;
          const isDone = status === 'completed';
          const values: Values<Export> = isDone
            ? { status: 'expired' }
            : { status: 'failed', error: 'It could not be made; try again.' };
          await this.parts.takeAway(id);
          await this.exports.apply(row, { values, events: [isDone ? 'export.expired' : 'export.failed'] });
        }),
      );
    return over.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** Parts of exports and workspaces that are gone, and what nobody came to tell of. */
  private async compare(): Promise<typeof RUN_AGAIN | undefined> {
    const stored = await this.store.list(this.reached, PAGE);
    const old = stored.filter(({ at }) => at.getTime() < Date.now() - ORPHAN_MS).map(({ key }) => key);
    const rows = await this.database.query<{ storage_key: string }>(
      `SELECT storage_key FROM export_parts WHERE storage_key = ANY($1::text[])`,
      [old],
    );
    const known = new Set(rows.map(({ storage_key }) => storage_key));
    await this.parts.discard(old.filter((key) => !known.has(key)));
    this.reached = stored.length === PAGE ? (stored.at(-1)?.key ?? null) : null;
    return this.reached === null ? undefined : RUN_AGAIN;
  }
}

/** The attempts of a job end after an hour and a half of failures; in the queue others may be ahead for longer. */
const OVER = `
  SELECT workspace_id, id, status FROM exports WHERE status = 'completed' AND expires_at <= now()
  UNION ALL
  SELECT workspace_id, id, status FROM exports WHERE status = 'running' AND touched_at < now() - interval '3 hours'
  UNION ALL
  SELECT workspace_id, id, status FROM exports WHERE status = 'queued' AND touched_at < now() - interval '2 days'
  LIMIT ${BATCH}`;
