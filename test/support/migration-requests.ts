import type { Belongings } from './belongings';
import type { Sql } from './sql';

type Requests = Readonly<Record<string, (own: Belongings) => Promise<{ body?: object }> | { body?: object }>>;

/** What is asked of migrations, each in a state that only its worker brings about; where something is tried again, its record has failed. */
export function migrationRequests(sql: Sql): Requests {
  const within = async (own: Belongings, status: string): Promise<object> => {
    await sql.rows(`UPDATE migration_jobs SET status = $2, mode = 'import', started_at = now() WHERE id = $1`, [
      own.jobs,
      status,
    ]);
    const failed = `UPDATE migration_records SET status = 'failed' WHERE id = $1`;
    if (status === 'completed_with_errors') await sql.rows(failed, [own.records]);
    return {};
  };
  const done = (own: Belongings): Promise<object> => within(own, 'completed_with_errors');
  const records = [{ id: 'pushed', subject: 'x' }];
  return {
    'POST /migration/jobs/{id}/records': () => ({ body: { entity: 'tickets', records } }),
    'POST /migration/jobs/{id}/test': async (own) => {
      const connection = '{"base_url": "http://127.0.0.1:9"}';
      await sql.rows(`UPDATE migration_jobs SET source = 'zendesk', connection = $2::jsonb WHERE id = $1`, [
        own.jobs,
        connection,
      ]);
      return {};
    },
    'POST /migration/jobs/{id}/start': (own) => within(own, 'ready'),
    'POST /migration/jobs/{id}/pause': (own) => within(own, 'running'),
    'POST /migration/jobs/{id}/resume': (own) => within(own, 'paused'),
    'POST /migration/jobs/{id}/retry-failed': done,
    'POST /migration/jobs/{id}/records/{rid}/retry': done,
    'POST /migration/jobs/{id}/rollback': done,
  };
}
