import { Trainer } from '../../src/areas/ai-engine/training/trainer';
import { Database } from '../../src/platform/database/database';
import { predict, train } from '../support/ai-models';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('a training that was given up before it came to an end leaves the model where it is', async () => {
  const { id, api } = await makeWorkspace(server);
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, status, sla_status, created_at, resolved_at, sla_due_at)
     SELECT $1, 900000 + v.n, 'OLD-' || v.n, 'old', v.priority, 'closed', v.sla_status, v.at, v.at + interval '12 hours', v.at + interval '8 hours'
     FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 'high' ELSE 'low' END AS priority, now() - n * interval '7 hours' AS at,
       CASE WHEN n % 2 = 0 THEN 'breached' ELSE 'met' END AS sla_status FROM generate_series(1, 600) n) v`,
    [id],
  );
  const made = await train(api, 'sla_breach_risk');
  expect(made).toMatchObject({ status: 'ready' });
  // As a worker has it that has been at it for too long.
  const [late] = await sql.rows<{ id: number }>(
    `INSERT INTO ai_models (workspace_id, task, status) VALUES ($1, 'sla_breach_risk', 'training') RETURNING id`,
    [id],
  );
  const job = { id: 0, workspace_id: id, kind: 'ai_training', subject_id: late?.id ?? 0, group_id: 0, attempt: 1 };
  const database = server.app.get(Database);
  await database.inWorkspace(id, { type: 'system', id: null, name: 'system' }, async () => {
    const { settle } = await server.app.get(Trainer).perform(job);
    await sql.rows(`UPDATE ai_models SET status = 'failed' WHERE workspace_id = $1 AND id = $2`, [id, late?.id]);
    await database.transaction(async () => settle?.());
  });
  expect((await api.get(`/ai-engine/models/${made.id}`)).expect(200).data).toMatchObject({ status: 'ready' });
  const { id: ticket_id } = await makeTicket(api, { priority: 'high' });
  const [risk] = await predict(api, { ticket_id, tasks: ['sla_breach_risk'] });
  expect(risk).toMatchObject({ value: 'breached', model_id: made.id });
});
