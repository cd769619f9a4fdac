import { verify } from '../support/github-signatures';
import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { drained, timePasses } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();

const mailsOf = (workspace: TestWorkspace): Promise<{ recipients: string[]; subject: string; body: string }[]> =>
  sql.rows(`SELECT recipients, subject, body FROM outgoing_mails WHERE workspace_id = $1 ORDER BY id`, [workspace.id]);

describe('side effects', () => {
  it('send mail after the run, with what later rules made of the ticket', async () => {
    const workspace = await makeWorkspace(server);
    const user = await makeUser(workspace.api, { email: 'eve@agents.example' });
    const rule = await makeRule(workspace, {
      actions: [
        {
          type: 'send_email',
          to: 'requester',
          subject: '{{ticket.code}}: {{ticket.priority}}',
          body: 'Hello {{ticket.subject}}',
        },
        { type: 'send_email', to: 'assignee', subject: 'Yours', body: 'x' },
        { type: 'send_email', to: ['boss@example.com', 'cfo@example.com'], subject: 'FYI', body: 'x' },
        { type: 'notify', user_ids: [user.id], message: 'Look at {{ticket.subject}}' },
      ],
    });
    await makeRule(workspace, { actions: [{ type: 'set_field', field: 'priority', value: 'urgent' }] });
    const ticket = await makeTicket(workspace.api, {
      priority: 'low',
      subject: 'Fire',
      requester_email: 'ada@people.example',
    });
    await drained(server, workspace);
    // Several at a time, so in no order.
    expect(
      (await mailsOf(workspace)).sort((a, b) => ((a.recipients[0] ?? '') < (b.recipients[0] ?? '') ? -1 : 1)),
    ).toEqual([
      { recipients: ['ada@people.example'], subject: `${String(ticket.code)}: urgent`, body: 'Hello Fire' },
      { recipients: ['boss@example.com', 'cfo@example.com'], subject: 'FYI', body: 'x' },
      { recipients: ['eve@agents.example'], subject: `[${String(ticket.code)}] Look at Fire`, body: 'Look at Fire' },
    ]);
    const [run] = await runsOf(workspace, 'automations', rule.id);
    expect(run?.status).toBe('partial');
    expect(run?.actions.map(({ type, status, error }) => [type, status, error])).toEqual([
      ['send_email', 'done', null],
      ['send_email', 'failed', 'There is no assignee to write to.'],
      ['send_email', 'done', null],
      ['notify', 'done', null],
    ]);
    expect(run?.actions[0]?.after).toMatchObject({
      to: ['ada@people.example'],
      subject: `${String(ticket.code)}: urgent`,
    });
    const types = (await eventsOf(server, workspace, 'automation', rule.id)).map(({ type }) => type);
    expect(types).toEqual(['automation.created', 'automation.executed', 'automation.failed']);
  });

  it('call an address with the chain in the headers; values cannot break out of the JSON', async () => {
    const workspace = await makeWorkspace(server);
    const subject = 'say "hi"\\ {{ticket.id}}';
    await makeRule(workspace, {
      actions: [
        {
          type: 'webhook',
          url: receiver.at('/text'),
          headers: { Authorization: 'Bearer s3cret' },
          body: '{"s": "{{ticket.subject}}"}',
        },
        { type: 'webhook', url: receiver.at('/object'), method: 'PUT', body: { s: ['{{ticket.subject}}', 1] } },
        { type: 'webhook', url: receiver.at('/default') },
      ],
    });
    const ticket = await makeTicket(workspace.api, { subject });
    await drained(server, workspace);
    const [text] = receiver.received('/text');
    const [created] = await eventsOf(server, workspace, 'ticket', ticket.id);
    expect(JSON.parse(text?.body ?? '')).toEqual({ s: subject });
    expect(text?.headers).toMatchObject({
      authorization: 'Bearer s3cret',
      'x-service-causation-depth': '1',
      'x-service-causation-root': created?.uid,
      'content-type': 'application/json; charset=utf-8',
    });
    const [object] = receiver.received('/object');
    expect([object?.method, object?.body]).toEqual(['PUT', JSON.stringify({ s: [subject, 1] })]);
    expect(JSON.parse(receiver.received('/default')[0]?.body ?? '')).toMatchObject({
      event: { type: 'ticket.created', id: created?.uid },
      ticket: { id: ticket.id, subject },
      automation: { name: 'Rule' },
    });
    const [run] = await runsOf(workspace, 'tickets', ticket.id);
    expect(run?.actions.map(({ status, after: shown }) => [status, shown?.status])).toEqual(
      Array(3).fill(['done', 204]),
    );
    expect(JSON.stringify(run)).not.toContain('s3cret');
  });

  it('sign what goes to a webhook of the workspace', async () => {
    const workspace = await makeWorkspace(server);
    const endpoint = (await workspace.api.post('/webhooks', { url: receiver.url, events: ['user.created'] })).expect(
      201,
    ).data;
    await makeRule(workspace, { actions: [{ type: 'webhook', endpoint_id: endpoint.id, body: { n: 1 } }] });
    const ticket = await makeTicket(workspace.api);
    await drained(server, workspace);
    const [call] = receiver.received();
    const signature = `sha256=${String(call?.headers['x-service-signature'])}`;
    expect(await verify(endpoint.secret as string, call?.body ?? '', signature)).toBe(true);
    (await workspace.api.delete(`/webhooks/${endpoint.id}`)).expect(200);
    const second = await makeTicket(workspace.api);
    await drained(server, workspace);
    expect(receiver.received()).toHaveLength(1);
    expect(await runsOf(workspace, 'tickets', ticket.id)).toMatchObject([{ status: 'executed' }]);
    expect(await runsOf(workspace, 'tickets', second.id)).toMatchObject([
      { status: 'failed', actions: [{ error: `There is no webhook ${endpoint.id}.` }] },
    ]);
  });

  it('try again what the receiver could not take, the same bytes each time, and give up in the end', async () => {
    const workspace = await makeWorkspace(server);
    receiver.answer(503);
    const rule = await makeRule(workspace, {
      actions: [{ type: 'webhook', url: receiver.url, body: { p: '{{ticket.priority}}' } }],
    });
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    for (let attempt = 1; attempt <= 4; attempt++) {
      await until(
        `attempt ${attempt} was made`,
        async () => receiver.received().length >= attempt && (await idle(workspace)),
      );
      (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: attempt % 2 ? 'high' : 'low' })).expect(200);
      await timePasses(server, workspace, 'automation_effect');
    }
    await drained(server, workspace);
    receiver.answer(204);
    expect(receiver.received().map(({ body }) => body)).toEqual(Array(4).fill('{"p":"low"}'));
    expect(receiver.received().map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4']);
    expect(await runsOf(workspace, 'automations', rule.id)).toMatchObject([
      { status: 'failed', actions: [{ status: 'failed', error: 'The server answered 503.' }] },
    ]);
  });

  it('reach no forbidden address', async () => {
    const workspace = await makeWorkspace(server);
    const refused = await workspace.api.post('/automations', {
      name: 'x',
      trigger: 'ticket.created',
      actions: [{ type: 'webhook', url: 'https://169.254.169.254/latest' }],
    });
    expect(refused.status).toBe(422);
  });

  it('create another ticket, once, with the chain', async () => {
    const workspace = await makeWorkspace(server);
    const rule = await makeRule(workspace, {
      conditions: { all: [{ field: 'channel', operator: 'neq', value: 'internal' }] },
      actions: [
        {
          type: 'create_ticket',
          subject: 'Follow up {{ticket.code}}',
          priority: 'high',
          ticket_type: 'task',
          requester_email: '{{requester.email}}',
          tags: ['child'],
          custom_fields: { of: '{{ticket.id}}' },
        },
      ],
    });
    const ticket = await makeTicket(workspace.api, { requester_email: 'ada@people.example' });
    await drained(server, workspace);
    const [run] = await runsOf(workspace, 'tickets', ticket.id);
    const childId = run?.actions[0]?.after?.ticket_id as number;
    const child = (await workspace.api.get(`/tickets/${childId}`)).expect(200).data;
    expect(child).toMatchObject({
      subject: `Follow up ${String(ticket.code)}`,
      priority: 'high',
      type: 'task',
      channel: 'internal',
      requester_email: 'ada@people.example',
      tags: 'child',
      custom_fields: { of: String(ticket.id) },
    });
    expect((await workspace.api.get('/tickets')).body.meta).toMatchObject({ total: 2 });
    expect(await runsOf(workspace, 'tickets', childId)).toMatchObject([
      { automation_id: rule.id, depth: 1, status: 'conditions_not_met', root_event_id: run?.root_event_id },
    ]);
  });

  it('book the next free slot of a type of meeting with the requester', async () => {
    const workspace = await makeWorkspace(server);
    const host = await makeUser(workspace.api);
    const type = { name: 'Call back', duration_minutes: 30, host_ids: [host.id], schedule: { mode: '24x7' } };
    const { id: type_id } = (await workspace.api.post('/meetings/types', type)).expect(201).data;
    await makeRule(workspace, { actions: [{ type: 'create_meeting', type_id, title: 'About {{ticket.code}}' }] });
    const tickets = [];
    for (const name of ['ada', 'bob']) {
      tickets.push(await makeTicket(workspace.api, { requester_email: `${name}@people.example` }));
      await drained(server, workspace);
    }
    const meetings = (await workspace.api.get('/meetings?sort=starts_at')).expect(200).rows;
    expect(meetings).toMatchObject(
      tickets.map((ticket) => ({
        title: `About ${String(ticket.code)}`,
        type_id,
        host_id: host.id,
        ticket_id: ticket.id,
        attendees: [{ email: ticket.requester_email }],
      })),
    );
    expect(Date.parse(meetings[1]?.starts_at as string) - Date.parse(meetings[0]?.starts_at as string)).toBe(1_800_000);
    const [run] = await runsOf(workspace, 'tickets', tickets[0]?.id ?? 0);
    expect(run?.actions[0]?.after).toMatchObject({ meeting_id: meetings[0]?.id, starts_at: meetings[0]?.starts_at });
  });
});

async function idle(workspace: TestWorkspace): Promise<boolean> {
  const busy = await sql.rows(`SELECT FROM work WHERE workspace_id = $1 AND state IN ('waiting', 'running')`, [
    workspace.id,
  ]);
  return busy.length === 0;
}
