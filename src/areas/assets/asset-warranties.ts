import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { eachAlone } from '../../platform/schedule/each-alone';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { WARRANTY_NOTICE_DAYS } from './asset-values';
import { AssetsService } from './assets.service';

const EVERY_MS = 300_000;
const BATCH = 200;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

interface Due {
  workspace_id: number;
  id: number;
}

/**
 * Announces warranties that end soon, once per asset and date: what was announced is kept with the asset, so neither a
 * second node nor a restart repeats it, and what fell due while nobody ran comes late instead of never.
 */
@Injectable()
export class AssetWarranties implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly assets: AssetsService,
  ) {}

  onModuleInit(): void {
    this.jobs.register('asset-warranties', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One batch; inside `Database.system()`. Days are those of the workspace. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<Due>(
      `SELECT a.workspace_id, a.id FROM assets a JOIN workspaces w ON w.id = a.workspace_id
       WHERE a.in_service AND a.warranty_announced_for IS DISTINCT FROM a.warranty_expires_at
         AND a.warranty_expires_at <= (now() + interval '${WARRANTY_NOTICE_DAYS + 1} days')::date
         AND a.warranty_expires_at <= (now() AT TIME ZONE w.timezone)::date + ${WARRANTY_NOTICE_DAYS}
       ORDER BY a.warranty_expires_at LIMIT ${BATCH}`,
    );
    const announce = ({ workspace_id, id }: Due): Promise<unknown> =>
      this.database.inWorkspace(workspace_id, ACTOR, () => this.assets.announceWarranty(id));
    await eachAlone(due, announce, 'warranties could not be announced');
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }
}
