import { Inject, Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';

const MEGABYTE = 1_048_576;

/** What a workspace keeps, and may keep. */
export interface Usage {
  /** Bytes. */
  used: number;
  /** Of the plan; null = that of the installation. */
  limit_mb: number | null;
}

/** How much a workspace may keep: exact, however many files arrive at once. */
@Injectable()
export class AttachmentQuota {
  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'files'>,
  ) {}

  /** Refuses a file that has no room, before it is read. @param size bytes; 0 where nobody knows */
  async requireRoom(size: number): Promise<void> {
    const text = `SELECT coalesce((SELECT bytes FROM attachment_usage WHERE workspace_id = $1), 0)::float8 AS used, attachment_limit_mb() AS limit_mb`;
    const [usage] = await this.database.read<Usage>({ text, values: [currentWorkspaceId()] });
    this.check(usage, Math.max(1, size));
  }

  /** The same inside the unit of work that adds the row: others who add one wait for it. The row is counted by a trigger. */
  async claim(size: number): Promise<void> {
    this.check(await this.hold(), size);
  }

  /** Waits for those who add rows, and lets others wait until the end of the unit of work. */
  async hold(): Promise<Usage | undefined> {
    const [usage] = await this.database.query<Usage>(
      `INSERT INTO attachment_usage AS u (workspace_id) VALUES ($1) ON CONFLICT (workspace_id) DO UPDATE SET bytes = u.bytes
       RETURNING bytes::float8 AS used, attachment_limit_mb() AS limit_mb`,
      [currentWorkspaceId()],
    );
    return usage;
  }

  private check(usage: Usage | undefined, size: number): void {
    const { quotaBytes } = this.config.files;
    const limit = typeof usage?.limit_mb === 'number' ? usage.limit_mb * MEGABYTE : quotaBytes;
    if (limit === 0 || (usage?.used ?? 0) + size <= limit) return;
    const most = `${Math.floor(limit / MEGABYTE)} MB`;
    invalid('file', 'quota', `The files of the workspace may have ${most} together; delete some of them.`, { limit });
  }
}
