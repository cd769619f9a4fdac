import { Inject, Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';

const MEGABYTE = 1_048_576;

/** Told of bytes as they come. @throws ApiError 422 `quota` as soon as there is no room for them */
export type CountBytes = (bytes: number) => void;

/** How much migrations of a workspace keep of what they were sent, together. */
@Injectable()
export class InboxRoom {
  /** Bytes that are on their way, by workspace: of this process. */
  private readonly coming = new Map<number, number>();

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'files'>,
  ) {}

  /** Counts what comes beside what is kept, and beside what comes at once. What takes the place of a file needs room next to it. */
  async counting<T>(work: (count: CountBytes) => Promise<T>): Promise<T> {
    const workspaceId = currentWorkspaceId();
    const used = await this.database.transaction(() => this.used());
    let own = 0;
    const count = (bytes: number): void => {
      own += bytes;
      this.check(used + this.add(workspaceId, bytes));
    };
    count(0);
    try {
      return await work(count);
    } finally {
      if (this.add(workspaceId, -own) <= 0) this.coming.delete(workspaceId);
    }
  }

  /** The same of what is kept by now: exact, inside the unit of work that has added the rows and holds all others off. */
  async claim(): Promise<void> {
    this.check(await this.used());
  }

  private async used(): Promise<number> {
    const [row] = await this.database.query<{ used: number }>(
      'SELECT coalesce(sum(bytes), 0)::float8 AS used FROM migration_files WHERE workspace_id = $1',
      [currentWorkspaceId()],
    );
    return row?.used ?? 0;
  }

  private add(workspaceId: number, bytes: number): number {
    const sum = (this.coming.get(workspaceId) ?? 0) + bytes;
    this.coming.set(workspaceId, sum);
    return sum;
  }

  private check(bytes: number): void {
    const { inboxBytes: limit } = this.config.files;
    if (limit === 0 || bytes <= limit) return;
    const most = `${Math.floor(limit / MEGABYTE)} MB`;
    invalid(
      'file',
      'quota',
      `What migrations of the workspace were sent may have ${most} together; delete some of them.`,
      {
        limit,
      },
    );
  }
}
