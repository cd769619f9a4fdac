import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('says what each member of a team has to do, who has least first, and what nobody has', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const assignment = { method: 'manual', max_open_per_agent: 20 };
  const team = await make(api, '/teams', { assignment });
  const busy = await makeUser(api, { team_ids: [team.id], max_open_tickets: 5 });
  const idle = await makeUser(api, { team_ids: [team.id] });
  await makeUser(api, { team_ids: [team.id], status: 'suspended' });
  await makeUser(api);
  const old = await makeTicket(api, { assigned_to: busy.id });
  await makeTicket(api, { assigned_to: busy.id, status: 'in_progress', team_id: team.id });
  await makeTicket(api, { assigned_to: busy.id, status: 'on_hold', on_hold_reason: 'customer' });
  await makeTicket(api, { assigned_to: busy.id, status: 'closed' });
  await makeTicket(api, { team_id: team.id });
  await makeTicket(api);
  await sql.rows(`UPDATE tickets SET created_at = now() - interval '2 days' WHERE workspace_id = $1 AND id = $2`, [
    workspace.id,
    old.id,
  ]);
  await sql.rows(`UPDATE tickets SET sla_status = 'breached' WHERE workspace_id = $1 AND id = $2`, [
    workspace.id,
    old.id,
  ]);
  const none = { open: 0, on_hold: 0, idle: 0, at_risk: 0, breached: 0 };
  const { data } = (await api.get(`/teams/${team.id}/metrics`)).expect(200);
  expect(data).toMatchObject({
    members: [
      { user_id: idle.id, limit: 20, tickets: none },
      { user_id: busy.id, limit: 5, tickets: { open: 2, on_hold: 1, idle: 1, at_risk: 0, breached: 1 } },
    ],
    unassigned: { ...none, open: 1 },
  });
  const narrow = await makePerson(server, workspace, { ticket_scope: 'assigned' });
  const seen = (await narrow.api.get(`/teams/${team.id}/metrics`)).expect(200).data;
  expect(seen).toMatchObject({ members: [{ tickets: none }, { tickets: none }], unassigned: none });
  (await api.get('/teams/999999999/metrics')).expect(404);
});
