import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { drained } from '../support/jobs';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

/** Two units of JavaScript, and no character without the other. */
const SMILE = '😀';

it('are cut between characters, wherever a rule cuts them', async () => {
  const workspace = await makeWorkspace(server);
  const rule = await makeRule(workspace, {
    conditions: { all: [{ field: 'description', operator: 'contains', value: 'end' }] },
    actions: [
      { type: 'escalate', reason: '{{ticket.description}}' },
      { type: 'send_email', to: 'requester', subject: '{{ticket.subject}}', body: 'x' },
      { type: 'create_ticket', subject: `${'z'.repeat(56)}{{ticket.subject}}` },
    ],
  });
  // One where the log cuts what was found, what was changed, where a reason is cut; and where subjects of mail and of tickets are.
  const traced = `${'x'.repeat(254)}${SMILE}`;
  const shown = `${traced}${'x'.repeat(243)}${SMILE}`;
  const reason = `${shown}${'x'.repeat(498)}${SMILE}`;
  const mail = `${'y'.repeat(198)}${SMILE}`;
  const ticket = await makeTicket(workspace.api, {
    subject: `${mail}yyyy`,
    description: `${reason}${'x'.repeat(20)} end`,
    requester_email: 'ada@people.example',
  });
  await drained(server, workspace);
  const [run] = await runsOf(workspace, 'automations', rule.id);
  expect(run?.actions.map(({ type, status, error }) => [type, status, error])).toEqual([
    ['escalate', 'done', null],
    ['send_email', 'done', null],
    ['create_ticket', 'done', null],
  ]);
  expect([run?.status, run?.conditions[0]?.actual]).toEqual(['executed', `${traced}…`]);
  expect(run?.actions[0]?.after?.last_escalation_reason).toBe(`${shown}…`);
  const escalated = (await workspace.api.get(`/tickets/${ticket.id}`)).expect(200).data;
  expect(escalated.last_escalation_reason).toBe(`${reason}xx`);
  const mails = await sql.rows(`SELECT subject FROM outgoing_mails WHERE workspace_id = $1`, [workspace.id]);
  expect(mails).toEqual([{ subject: `${mail}…` }]);
  const made = (await workspace.api.get(`/tickets/${String(run?.actions[2]?.after?.ticket_id)}`)).expect(200).data;
  expect(made.subject).toBe(`${'z'.repeat(56)}${mail}`);
});
