import fastify from 'fastify';
import { Pool, types, type QueryConfig } from 'pg';

/**
 * The floor that the service is measured against: Fastify and `pg` with nothing else, on the same table. Connects as the
 * owner, so row-level security costs it nothing. PORT, DATABASE_URL, POOL, WORKSPACE and COLUMNS (names) come from the environment.
 */
async function main(): Promise<void> {
  const { DATABASE_URL: connectionString, POOL, WORKSPACE, COLUMNS = '', PORT } = process.env;
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({ connectionString, max: Number(POOL) });
  const workspace = Number(WORKSPACE);
  const columns = COLUMNS.split(',').join(', ');
  const app = fastify();

  const page = (where: string): string =>
    `SELECT ${columns} FROM tickets WHERE workspace_id = $1${where} ORDER BY created_at DESC, id DESC LIMIT 25`;
  const asText = (sql: string): string => `SELECT coalesce(json_agg(r), '[]')::text AS body FROM (${sql}) r`;
  const text = async (query: QueryConfig): Promise<string> =>
    (await pool.query<{ body: string }>(query)).rows[0]?.body ?? '';

  app.get('/ready', () => ({ ok: true }));

  app.get('/list', async (_request, reply) => {
    const body = await text({ name: 'list', text: asText(page('')), values: [workspace] });
    return reply.type('application/json').send(`{"data":${body}}`);
  });

  app.get('/rows', async () => ({
    data: (await pool.query({ name: 'rows', text: page(''), values: [workspace] })).rows as unknown[],
  }));

  app.get('/counted', async (_request, reply) => {
    const body = await text({ name: 'list', text: asText(page('')), values: [workspace] });
    const total = await text({
      name: 'count',
      text: 'SELECT count(*)::text AS body FROM tickets WHERE workspace_id = $1',
      values: [workspace],
    });
    return reply.type('application/json').send(`{"data":${body},"total":${total}}`);
  });

  for (const column of ['status', 'priority', 'assigned_to']) {
    app.get<{ Params: { value: string } }>(`/${column}/:value`, async ({ params }, reply) => {
      const sql = asText(page(` AND ${column} = $2`));
      const body = await text({ name: column, text: sql, values: [workspace, params.value] });
      return reply.type('application/json').send(`{"data":${body}}`);
    });
  }

  app.get<{ Params: { id: string } }>('/one/:id', async ({ params }, reply) => {
    const sql = `SELECT row_to_json(r)::text AS body FROM (SELECT ${columns} FROM tickets WHERE workspace_id = $1 AND id = $2) r`;
    const body = await text({ name: 'one', text: sql, values: [workspace, params.id] });
    return reply.type('application/json').send(`{"data":${body}}`);
  });

  for (const table of ['bare_tickets', 'bare_tickets_lean']) {
    app.post<{ Body: Record<string, string> }>(`/${table}`, async (request, reply) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const { rows } = await client.query<{ body: string }>({
          name: table,
          text: insert(table, columns),
          values: [workspace, request.body.subject, request.body.description, request.body.priority],
        });
        await client.query('COMMIT');
        return await reply.code(201).type('application/json').send(`{"data":${rows[0]?.body}}`);
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    });
  }

  await app.listen({ port: Number(PORT), host: '127.0.0.1' });
  process.on('SIGTERM', () => process.exit(0));
}

function insert(table: string, columns: string): string {
  return `WITH t AS (
    INSERT INTO ${table} (workspace_id, number, code, subject, description, priority, sla_status, sla_due_at, first_response_due_at)
    SELECT $1, n, 'TCK-' || n, $2, $3, $4, 'on_track', now() + interval '1 day', now() + interval '8 hours'
    FROM nextval('bare_numbers') AS n RETURNING *
  ) SELECT row_to_json(r)::text AS body FROM (SELECT ${columns} FROM t) r`;
}

void main();
