import { useApp } from '../support/app';
import { make } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained, runJob } from '../support/jobs';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { linesOf } from '../support/tables';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

interface Mail {
  recipients: string[];
  subject: string;
  letter: { facts: [string, string][] };
  attachments: { filename: string; content: string }[];
}

const mailsOf = ({ id }: TestWorkspace): Promise<Mail[]> =>
  sql.rows<Mail>(
    'SELECT recipients, subject, letter, attachments FROM outgoing_mails WHERE workspace_id = $1 ORDER BY id',
    [id],
  );

/** Lets a schedule be due, as often as somebody looks. */
async function comes(workspace: TestWorkspace, id: number, at = `now() - interval '1 minute'`): Promise<void> {
  await sql.rows(`UPDATE report_schedules SET due_at = ${at} WHERE workspace_id = $1 AND id = $2`, [workspace.id, id]);
  await Promise.all([runJob(server, 'report-schedules'), runJob(server, 'report-schedules')]);
  await drained(server, workspace);
}

const body = {
  name: 'Promises',
  report: 'sla',
  group_by: ['team'],
  period: 'yesterday',
  recipients: ['Lead@Example.com'],
};

describe('a report that is sent', () => {
  it('leaves once for each moment, with the rows of its window as a file', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const made = await make(api, '/report-schedules', { ...body, schedule: '0 5 1 1 *' });
    expect(Date.parse(String(made.next_send_at))).toBeGreaterThan(Date.now());
    const team = await make(api, '/teams', { name: '=cmd()' });
    const ticket = (await api.post('/tickets', { subject: 'x' })).expect(201).data;
    await sql.rows(
      `INSERT INTO sla_clocks (workspace_id, ticket_id, policy_version, metric, instance_no, priority_applied, target_seconds, started_at, outcome, decided_at, team_id)
       VALUES ($1, $2, 1, 'resolution', 9, 'low', 60, '2026-01-01Z', 'met', date_trunc('day', now()) - interval '2 hours', $3)`,
      [workspace.id, ticket.id, team.id],
    );
    await comes(workspace, made.id);
    await until('the mail is queued', async () => (await mailsOf(workspace)).length > 0);
    const [mail, ...more] = await mailsOf(workspace);
    expect(more).toEqual([]);
    expect(mail?.recipients).toEqual(['lead@example.com']);
    expect(mail?.subject).toMatch(/^Promises: \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)$/);
    expect(mail?.letter.facts).toContainEqual(['met', '1']);
    const [file] = mail?.attachments ?? [];
    expect(file?.filename).toMatch(/^sla-report-\d{4}-\d\d-\d\d\.csv$/);
    const text = Buffer.from(file?.content ?? '', 'base64').toString();
    expect(text.startsWith('\uFEFFteam_id,')).toBe(true);
    expect(linesOf(text.slice(1))[1]).toEqual([String(team.id), "'=cmd()", '1', '0', '100']);
    const shown = (await api.get(`/report-schedules/${made.id}`)).data;
    expect(shown.last_sent_at).not.toBeNull();
    expect(shown.next_send_at).toBe(made.next_send_at);
    const told = await eventsOf(server, workspace, 'report_schedule', made.id);
    expect(told.map(({ type }) => type)).toEqual(['report_schedule.created', 'report_schedule.sent']);
    await comes(workspace, made.id, `now() - interval '3 seconds'`);
    await until('the next one is queued', async () => (await mailsOf(workspace)).length === 2);
  });

  it('tells what its owner sees, and not without them', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const owner = await makePerson(server, workspace, { role: 'supervisor', ticket_scope: 'assigned' });
    const made = await make(owner.api, '/report-schedules', { ...body, schedule: '0 5 1 1 *' });
    expect(made.owner_id).toBe(owner.id);
    const ticket = (await api.post('/tickets', { subject: 'x' })).expect(201).data;
    await sql.rows(
      `INSERT INTO sla_clocks (workspace_id, ticket_id, policy_version, metric, instance_no, priority_applied, target_seconds, started_at, outcome, decided_at)
       VALUES ($1, $2, 1, 'resolution', 9, 'low', 60, '2026-01-01Z', 'met', date_trunc('day', now()) - interval '2 hours')`,
      [workspace.id, ticket.id],
    );
    await comes(workspace, made.id);
    await until('the mail is queued', async () => (await mailsOf(workspace)).length === 1);
    expect((await mailsOf(workspace))[0]?.letter.facts).toContainEqual(['met', '0']);
    (await api.patch(`/users/${owner.id}`, { status: 'suspended' })).expect(200);
    await until('it is known', async () => (await owner.api.get('/me')).status === 401);
    await comes(workspace, made.id, `now() - interval '3 seconds'`);
    const path = `/report-schedules/${made.id}`;
    await until('it is switched off', async () => (await api.get(path)).data.is_active === false);
    const taken = (await api.patch(path, { is_active: true })).expect(200).data;
    expect([taken.owner_id, taken.is_active]).toEqual([null, true]);
    await comes(workspace, made.id, `now() - interval '2 seconds'`);
    await until('the mail of the new owner is queued', async () => (await mailsOf(workspace)).length === 2);
    expect((await mailsOf(workspace))[1]?.letter.facts).toContainEqual(['met', '1']);
  });

  it('has its moment on the clocks of the workspace, whose zone may change', async () => {
    const { api } = await makeWorkspace(server);
    const made = await make(api, '/report-schedules', { ...body, schedule: '0 5 1 1 *' });
    expect(made.next_send_at).toMatch(/-01-01T05:00:00.000Z$/);
    // Of a release that let it in: it keeps nobody else's from moving.
    const never = await make(api, '/report-schedules', { ...body, name: 'Never', schedule: '0 5 1 1 *' });
    await sql.rows(`UPDATE report_schedules SET schedule = '0 5 31 2 *' WHERE id = $1`, [never.id]);
    (await api.patch('/workspace', { timezone: 'Asia/Tokyo' })).expect(200);
    const next = async (): Promise<unknown> => (await api.get(`/report-schedules/${made.id}`)).data.next_send_at;
    await until('the moment has moved', async () => (await next()) !== made.next_send_at);
    expect(await next()).toMatch(/-12-31T20:00:00.000Z$/);
  });

  it('does not leave when it is stopped, and has another moment with another schedule', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const made = await make(api, '/report-schedules', { ...body, schedule: 'daily' });
    const stopped = (await api.patch(`/report-schedules/${made.id}`, { is_active: false })).expect(200).data;
    expect(stopped.next_send_at).toBeNull();
    await runJob(server, 'report-schedules');
    await drained(server, workspace);
    expect(await mailsOf(workspace)).toEqual([]);
    const going = (await api.patch(`/report-schedules/${made.id}`, { is_active: true, schedule: '30 4 2 2 *' })).expect(
      200,
    ).data;
    expect(going.next_send_at).toMatch(/-02-02T04:30:00.000Z$/);
    const refused = await api.post('/report-schedules', { ...body, recipients: [], schedule: '* * * * *' });
    expect(refused.status).toBe(422);
    expect((await api.post('/report-schedules', { ...body, schedule: '* * * * *' })).expect(422).codes).toEqual({
      schedule: 'format',
    });
    expect((await api.post('/report-schedules', { ...body, group_by: ['weather'] })).expect(422).codes).toEqual({
      group_by: 'enum',
    });
  });
});
