import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf, settledTicket } from '../support/automations';
import { make, makeTicket, makeUser } from '../support/cast';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const HOUR_MS = 3_600_000;

/** The ticket after a rule with these actions has run on it. */
async function after(
  workspace: TestWorkspace,
  actions: Record<string, unknown>[],
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { id: number }> {
  const rule = await makeRule(workspace, { actions });
  const { id } = await makeTicket(workspace.api, body);
  const ticket = await settledTicket(server, workspace, id);
  (await workspace.api.delete(`/automations/${rule.id}`)).expect(200);
  return ticket;
}

describe('set_field', () => {
  it('sets fields, texts with variables, custom fields beside others, and empties them', async () => {
    const workspace = await makeWorkspace(server);
    const team = await make(workspace.api, '/teams');
    const ticket = await after(
      workspace,
      [
        { type: 'set_field', field: 'team_id', value: team.id },
        { type: 'set_field', field: 'subject', value: '[{{ticket.code}}] {{ticket.subject}}' },
        { type: 'set_field', field: 'custom_fields.region', value: 'EU' },
        { type: 'set_field', field: 'custom_fields.old', value: null },
      ],
      { subject: 'Help', custom_fields: { old: 1, kept: 2 } },
    );
    expect(ticket).toMatchObject({
      team_id: team.id,
      subject: `[${String(ticket.code)}] Help`,
      custom_fields: { kept: 2, region: 'EU' },
    });
  });

  it('understands relative moments', async () => {
    const workspace = await makeWorkspace(server);
    const ticket = await after(workspace, [
      { type: 'set_field', field: 'status', value: 'on_hold' },
      { type: 'set_field', field: 'on_hold_until', value: '+4h' },
      { type: 'set_field', field: 'custom_fields.follow_up', value: '+2bd' },
    ]);
    const wait = Date.parse(String(ticket.on_hold_until)) - Date.parse(String(ticket.created_at));
    expect(wait / HOUR_MS).toBeCloseTo(4, 1);
    const { follow_up: followUp } = ticket.custom_fields as { follow_up: string };
    const days = (Date.parse(followUp) - Date.parse(String(ticket.created_at))) / HOUR_MS / 24;
    expect([2, 3, 4]).toContain(Math.round(days));
    expect([1, 2, 3, 4, 5]).toContain(new Date(followUp).getUTCDay());
  });

  it('refuses a text that the field cannot hold, as a PATCH would', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      actions: [{ type: 'set_field', field: 'subject', value: '{{ticket.description}}' }],
    });
    await makeTicket(workspace.api, { subject: 'Short', description: 'x'.repeat(300) });
    await drained(server, workspace);
    expect(await runsOf(workspace, 'automations', id)).toMatchObject([
      { status: 'failed', actions: [{ status: 'failed', error: expect.stringContaining('subject') as unknown }] },
    ]);
  });
});

describe('assign', () => {
  it('gives the ticket to a user, and takes it away again', async () => {
    const workspace = await makeWorkspace(server);
    const user = await makeUser(workspace.api);
    expect(await after(workspace, [{ type: 'assign', user_id: user.id }])).toMatchObject({ assigned_to: user.id });
    expect(await after(workspace, [{ type: 'unassign' }], { assigned_to: user.id })).toMatchObject({
      assigned_to: null,
    });
  });

  it('takes turns among the active members of a team who are in, fairly also under concurrency', async () => {
    const workspace = await makeWorkspace(server);
    const team = await make(workspace.api, '/teams');
    const members = await Promise.all([1, 2, 3].map(() => makeUser(workspace.api, { team_ids: [team.id] })));
    await makeUser(workspace.api);
    await makeUser(workspace.api, {
      team_ids: [team.id],
      out_of_office: { from: '2020-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' },
    });
    await makeRule(workspace, { actions: [{ type: 'assign', strategy: 'round_robin', team_id: team.id }] });
    const tickets = await Promise.all(Array.from({ length: 12 }, () => makeTicket(workspace.api)));
    await drained(server, workspace);
    const given = await sql.rows<{ assigned_to: number; n: number; teams: number[] }>(
      `SELECT assigned_to, count(*) AS n, array_agg(DISTINCT team_id) AS teams FROM tickets WHERE workspace_id = $1 AND id = ANY($2) GROUP BY 1 ORDER BY 1`,
      [workspace.id, tickets.map(({ id }) => id)],
    );
    expect(new Map(given.map(({ assigned_to, n }) => [assigned_to, n]))).toEqual(
      new Map(members.map(({ id }) => [id, 4])),
    );
  });

  it('finds who has least to do, also under concurrency', async () => {
    const workspace = await makeWorkspace(server);
    const team = await make(workspace.api, '/teams');
    const [busy, free] = [
      await makeUser(workspace.api, { team_ids: [team.id] }),
      await makeUser(workspace.api, { team_ids: [team.id] }),
    ];
    for (let n = 0; n < 4; n++) await makeTicket(workspace.api, { assigned_to: busy.id });
    // What has not been dispatched by then would start the rule, too.
    await drained(server, workspace);
    await makeRule(workspace, { actions: [{ type: 'assign', strategy: 'least_loaded', team_id: team.id }] });
    await Promise.all(Array.from({ length: 6 }, () => makeTicket(workspace.api)));
    await drained(server, workspace);
    const loads = await sql.rows<{ assigned_to: number; n: number }>(
      `SELECT assigned_to, count(*) AS n FROM tickets WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
      [workspace.id],
    );
    expect(loads).toEqual([
      { assigned_to: busy.id, n: 5 },
      { assigned_to: free.id, n: 5 },
    ]);
  });

  it('finds who had the requester last; says so when there is nobody', async () => {
    const workspace = await makeWorkspace(server);
    const user = await makeUser(workspace.api);
    await makeTicket(workspace.api, { assigned_to: user.id, requester_email: 'ada@people.example' });
    const actions = [{ type: 'assign', strategy: 'last_agent' }];
    expect(await after(workspace, actions, { requester_email: 'ada@people.example' })).toMatchObject({
      assigned_to: user.id,
    });
    const nobody = await after(workspace, actions, { requester_email: 'bob@people.example' });
    expect(nobody.assigned_to).toBeNull();
    const [run] = await runsOf(workspace, 'tickets', nobody.id);
    expect(run?.actions).toMatchObject([{ status: 'failed', error: 'No agent can be given the ticket.' }]);
  });
});

describe('tags, escalation and comments', () => {
  it('add and remove tags against the stored ones', async () => {
    const workspace = await makeWorkspace(server);
    const actions = [
      { type: 'add_tags', tags: 'b,c' },
      { type: 'remove_tags', tags: ['a'] },
    ];
    expect(await after(workspace, actions, { tags: 'a,b' })).toMatchObject({ tags: 'b,c' });
  });

  it('escalate with a reason, and comment in public or not', async () => {
    const workspace = await makeWorkspace(server);
    const ticket = await after(
      workspace,
      [
        { type: 'escalate', reason: 'Rule on {{ticket.code}}' },
        { type: 'add_comment', body: 'Dear {{requester.email}}: {{ticket.priority}}' },
        { type: 'add_comment', body: 'note', is_internal: true },
      ],
      { priority: 'low', requester_email: 'ada@people.example' },
    );
    expect(ticket).toMatchObject({
      escalation_level: 1,
      priority: 'medium',
      last_escalation_reason: `Rule on ${String(ticket.code)}`,
    });
    const comments = await commentsOf(workspace, ticket.id);
    expect(comments.map(({ body, is_internal, author_type }) => [body, is_internal, author_type])).toContainEqual([
      'Dear ada@people.example: medium',
      false,
      'automation',
    ]);
    expect(comments).toContainEqual(expect.objectContaining({ body: 'note', is_internal: true }));
  });
});
