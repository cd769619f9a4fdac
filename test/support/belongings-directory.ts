import type { Api } from './api';
import type { Belongings } from './belongings';
import type { Sql } from './sql';

/** A connection to a directory with somebody, a group, and a run that is over. */
export async function furnishDirectory(api: Api, sql: Sql, mark: string): Promise<Belongings> {
  const connection = { name: `${mark} directory`, type: 'json', external_id: mark };
  const { id } = (await api.post('/active-directory/connections', connection)).expect(201).data;
  const from = 'FROM directory_connections WHERE id = $1 RETURNING id';
  const [user] = await sql.rows<{ id: number }>(
    `INSERT INTO directory_users (workspace_id, connection_id, object_guid, display_name, email, department, external_id)
     SELECT workspace_id, id, $2, $2, $2 || '@people.example', $2, $2 ${from}`,
    [id, mark],
  );
  const [group] = await sql.rows<{ id: number }>(
    `INSERT INTO directory_groups (workspace_id, connection_id, object_guid, name, description, external_id) SELECT workspace_id, id, $2, $2, $2, $2 ${from}`,
    [id, mark],
  );
  const [run] = await sql.rows<{ id: number }>(
    `INSERT INTO directory_runs (workspace_id, connection_id, status, planned_at, finished_at, external_id)
     SELECT workspace_id, id, 'completed', now(), now(), $2 ${from}`,
    [id, mark],
  );
  const [change] = await sql.rows<{ id: number }>(
    `INSERT INTO directory_changes (workspace_id, run_id, object, object_guid, name, action, result)
     SELECT workspace_id, id, 'user', $2, $2, 'none', 'skipped' FROM directory_runs WHERE id = $1 RETURNING id`,
    [run?.id, mark],
  );
  return {
    directory_connections: id,
    directory_users: user?.id ?? 0,
    directory_groups: group?.id ?? 0,
    directory_runs: run?.id ?? 0,
    directory_changes: change?.id ?? 0,
  };
}
