import { noticeMail } from '../../src/areas/users/notices/notice-mail';
import { quietUntil } from '../../src/areas/users/notices/notification-preferences';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule } from '../support/automations';
import { make, makeTicket, makeUser } from '../support/cast';
import { drained, timePasses } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
let workspace: TestWorkspace;
let agent: Fields;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  agent = await makeUser(workspace.api);
  smtp.taken.length = 0;
});

const prefer = async (notifications: object, user = agent): Promise<Fields> =>
  (await workspace.api.patch(`/users/${user.id}`, { notifications })).expect(200).data;
/** What arrives of what was done: recipient and subject, in no order. */
const mails = async (): Promise<string[]> => {
  await drained(server, workspace);
  return smtp.taken.map(({ to, mail }) => `${to.join()} ${mail.subject ?? ''}`).sort();
};
const waiting = (): Promise<{ kind: string }[]> =>
  sql.rows(`SELECT kind FROM work WHERE workspace_id = $1 AND state = 'scheduled'`, [workspace.id]);

describe('what a user wants to be told', () => {
  it('is the usual until they say otherwise, and whole whenever they do', async () => {
    const usual = {
      assigned: 'mail',
      replied: 'none',
      sla: 'none',
      automations: 'mail',
      mentioned: 'mail',
      followed: 'mail',
      only_mine: true,
      quiet_hours: null,
    };
    expect(agent.notifications).toEqual(usual);
    const quiet_hours = { from: '20:00', to: '08:00' };
    expect((await prefer({ assigned: 'none', quiet_hours })).notifications).toEqual({
      ...usual,
      assigned: 'none',
      quiet_hours,
    });
    expect((await prefer({ replied: 'mail' })).notifications).toEqual({ ...usual, replied: 'mail' });
    const wrong = [
      { assigned: 'pigeon' },
      { only_mine: 'yes' },
      { quiet_hours: { from: '8', to: '24:00' } },
      { quiet_hours: { from: '08:00', to: '08:00' } },
      { colour: 'red' },
    ];
    for (const notifications of wrong) (await workspace.api.patch(`/users/${agent.id}`, { notifications })).expect(422);
  });
});

describe('mail to agents', () => {
  it('tells of tickets that others assign, once, and of none of one’s own doing', async () => {
    const { code, id } = await makeTicket(workspace.api, { assigned_to: agent.id, subject: 'Printer jams' });
    expect(await mails()).toEqual([`${String(agent.email)} [${String(code)}] Assigned to you: Printer jams`]);
    expect(smtp.taken[0]?.mail.headers.get('auto-submitted')).toBe('auto-generated');
    (await workspace.api.patch(`/tickets/${id}`, { priority: 'high' })).expect(200);
    const { token } = await server.app
      .get(Tokens)
      .create({ workspaceId: workspace.id, scopes: ['*'], name: 'own', userId: agent.id });
    await makeTicket(new Api(server.url, token), { assigned_to: agent.id });
    expect(await mails()).toHaveLength(1);
    const other = await makeUser(workspace.api);
    await prefer({ assigned: 'none' }, other);
    (await workspace.api.post(`/tickets/${id}/assign`, { user_id: other.id })).expect(200);
    (await workspace.api.post(`/tickets/${id}/escalate`, { to_user_id: agent.id })).expect(200);
    expect(await mails()).toHaveLength(2);
    expect(smtp.taken[1]?.mail.text).toContain('escalated a ticket to you');
  });

  it('tells of answers and targets, and of the tickets of a team, where that is wanted', async () => {
    const team = await make(workspace.api, '/teams');
    const mate = await makeUser(workspace.api, { team_ids: [team.id] });
    await prefer({ assigned: 'mail', replied: 'mail', only_mine: false }, mate);
    await prefer({ assigned: 'none', replied: 'mail' });
    const { id } = await makeTicket(workspace.api, {
      team_id: team.id,
      subject: 'A',
      requester_email: 'ada@people.example',
    });
    await mails();
    (await workspace.api.patch(`/tickets/${id}`, { assigned_to: agent.id })).expect(200);
    const comment = (body: object): Promise<unknown> => workspace.api.post(`/tickets/${id}/comments`, body);
    await comment({ body: 'Secret words', author_type: 'requester' });
    await comment({ body: 'Note', is_internal: true });
    const subjects = (await mails()).map((line) => line.replace(/\[.*\] /, ''));
    expect(subjects).toEqual([`${String(agent.email)} Answer: A`, `${String(mate.email)} For your team: A`].sort());
    expect(smtp.taken.some(({ raw }) => raw.includes('Secret words'))).toBe(false);
  });

  it('tells nobody of tickets that they do not see, by their own scope or by their role', async () => {
    const team = await make(workspace.api, '/teams');
    const narrow = await make(workspace.api, '/roles', { permissions: ['tickets.read'], ticket_scope: 'assigned' });
    const blind = await make(workspace.api, '/roles', { permissions: ['users.read'] });
    const users: Fields[] = [];
    for (const scope of [{ ticket_scope: 'assigned' }, { role_id: narrow.id }, { role_id: blind.id }, {}]) {
      const user = await makeUser(workspace.api, { ticket_scope: 'teams', team_ids: [team.id], ...scope });
      users.push(await prefer({ only_mine: false }, user));
    }
    const { id, code } = await makeTicket(workspace.api, { team_id: team.id, subject: 'A' });
    const told = (what: string): string => `${String(users.at(-1)?.email)} [${String(code)}] ${what}: A`;
    expect(await mails()).toEqual([told('For your team')]);
    const body = users.map((user) => `@[${user.id}]`).join(' ');
    (await workspace.api.post(`/tickets/${id}/comments`, { body, is_internal: true })).expect(201);
    expect(await mails()).toEqual([told('For your team'), told('You are mentioned')]);
    (await workspace.api.post(`/tickets/${id}/comments`, { body: 'Look', is_internal: true })).expect(201);
    expect((await mails()).filter((line) => !line.startsWith(String(users.at(-1)?.email)))).toEqual([]);
  });

  it('tells nobody who has lost the sight of it in quiet hours', async () => {
    const hour = (offset: number): string => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
    const team = await make(workspace.api, '/teams');
    const mate = await makeUser(workspace.api, { ticket_scope: 'teams', team_ids: [team.id] });
    await prefer({ only_mine: false, quiet_hours: { from: hour(-2), to: hour(2) } }, mate);
    await makeTicket(workspace.api, { team_id: team.id });
    expect(await mails()).toEqual([]);
    (await workspace.api.delete(`/teams/${team.id}/members/${mate.id}`)).expect(200);
    await prefer({ only_mine: false }, mate);
    await timePasses(server, workspace, 'agent_notice');
    expect(await mails()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('waits for the end of quiet hours, and heeds what is wanted then', async () => {
    const hour = (offset: number): string => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
    await prefer({ quiet_hours: { from: hour(-2), to: hour(2) } });
    await makeTicket(workspace.api, { assigned_to: agent.id, subject: 'A' });
    expect(await mails()).toEqual([]);
    await makeRule(workspace, { actions: [{ type: 'notify', user_ids: [agent.id], message: 'Look' }] });
    await makeTicket(workspace.api, { subject: 'B' });
    expect(await mails()).toEqual([]);
    expect((await waiting()).map(({ kind }) => kind).sort()).toEqual(['agent_notice', 'mail']);
    await timePasses(server, workspace, 'agent_notice');
    expect(await mails()).toEqual([]);
    await prefer({});
    await timePasses(server, workspace);
    expect(await mails()).toHaveLength(2);
    await prefer({ automations: 'none' });
    await makeTicket(workspace.api, { subject: 'C' });
    expect(await mails()).toHaveLength(2);
  });

  it('is not made of every ticket of a mass change', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 14; index++) ids.push((await makeTicket(workspace.api)).id);
    await drained(server, workspace);
    const operations = ids.map((id) => ({ op: 'assign', id, data: { user_id: agent.id } }));
    (await workspace.api.post('/tickets/batch', { operations })).expect(200);
    expect((await mails()).length).toBeLessThanOrEqual(10);
    expect(smtp.taken.length).toBeGreaterThan(0);
  });
});

describe('the rules', () => {
  const at = (text: string): number => Date.parse(text);

  it.each([
    ['2026-06-01T19:59:00+02:00', null],
    ['2026-06-01T20:00:00+02:00', '2026-06-02T08:00:00+02:00'],
    ['2026-06-02T07:59:59+02:00', '2026-06-02T08:00:00+02:00'],
    ['2026-06-02T08:00:00+02:00', null],
  ])('hours over midnight: at %s quiet until %s', (now, until) => {
    const quiet = { from: '20:00', to: '08:00' };
    expect(quietUntil(quiet, 'Europe/Berlin', at(now))).toBe(until === null ? null : at(until));
  });

  it('hours of one day, changes of clocks, and none', () => {
    const noon = { from: '12:00', to: '13:30' };
    expect(quietUntil(noon, 'Asia/Kolkata', at('2026-06-01T13:00:00+05:30'))).toBe(at('2026-06-01T13:30:00+05:30'));
    expect(quietUntil(noon, 'Asia/Kolkata', at('2026-06-01T11:00:00+05:30'))).toBeNull();
    expect(quietUntil(null, 'UTC', 0)).toBeNull();
    const night = { from: '22:00', to: '06:00' };
    expect(quietUntil(night, 'Europe/Berlin', at('2026-03-28T23:00:00+01:00'))).toBe(at('2026-03-29T06:00:00+02:00'));
    expect(quietUntil(night, 'Europe/Berlin', at('2026-10-24T23:00:00+02:00'))).toBe(at('2026-10-25T06:00:00+01:00'));
  });

  it('mail says what happened to whose ticket', () => {
    const told = { code: 'TIC-000001', subject: 'A', priority: 'high', assigned_to: 3, actor: 'Eve' };
    expect(noticeMail('ticket.sla_breach', told, 3)).toEqual({
      subject: '[TIC-000001] Target missed: A',
      text: 'A target of your ticket was missed.',
      letter: { language: 'en', heading: 'TIC-000001 A', facts: [['Priority', 'high']], reference: 'TIC-000001' },
    });
    expect(noticeMail('ticket.sla_at_risk', told, 4).text).toContain('a ticket of your team');
    expect(noticeMail('ticket.created', { ...told, subject: null }, 3).subject).toBe('[TIC-000001] Assigned to you');
  });
});
