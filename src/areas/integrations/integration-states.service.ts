import { Injectable } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';

/** What is remembered of an installation's last messages. Everything here runs inside a unit of work. */
@Injectable()
export class IntegrationStates {
  constructor(private readonly database: Database) {}

  /** A message went through: earlier failures no longer count. */
  async succeeded(id: number): Promise<void> {
    await this.database.query(
      `INSERT INTO integration_states (workspace_id, integration_id, last_sync_at, last_success_at)
       SELECT workspace_id, id, now(), now() FROM integrations WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (workspace_id, integration_id) DO UPDATE
         SET last_sync_at = now(), last_success_at = now(), error_count = 0, last_error = NULL`,
      [currentWorkspaceId(), id],
    );
  }

  /** One more failure in a row; answers how many there are now. */
  async stumbled(id: number, error: { code: string; message: string }): Promise<number> {
    const [state] = await this.database.query<{ error_count: number }>(
      `INSERT INTO integration_states AS s (workspace_id, integration_id, last_sync_at, last_error, error_count)
       SELECT workspace_id, id, now(), $3::jsonb, 1 FROM integrations WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (workspace_id, integration_id) DO UPDATE
         SET last_sync_at = now(), last_error = EXCLUDED.last_error, error_count = s.error_count + 1
       RETURNING error_count`,
      [currentWorkspaceId(), id, JSON.stringify({ ...error, at: clockNow().toISOString() })],
    );
    return state?.error_count ?? 0;
  }
}
