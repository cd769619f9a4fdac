import { Client } from 'pg';
import { RuleRunner } from '../../src/areas/automations/engine/rule-runner';
import { Turns } from '../../src/areas/automations/engine/turns';
import { startApp, type TestApp } from '../support/app';
import { makeRule } from '../support/automations';
import { makeTicket } from '../support/cast';
import { useReceiver } from '../support/receiver';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';
import { subscribe } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const receiver = useReceiver();
const SECRET = 'inflightsecret';
let scratch: ScratchDatabase;
let server: TestApp;
let workspace: TestWorkspace;

// On a database of its own: no other application of the run takes the jobs that are held here.
beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  server = await startApp({ databaseUrl: scratch.serviceUrl });
});
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await server.close();
  await scratch.drop();
});

/** Tables of the workspace that still have the text. */
async function tablesWithSecret(): Promise<string[]> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const text = `SELECT FROM ${name} x WHERE workspace_id = $1 AND x::text ILIKE '%${SECRET}%' LIMIT 1`;
      if ((await client.query(text, [workspace.id])).rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Something that waits until it is let go; `count` have come so far. */
function gate(): { pass: () => Promise<void>; open: () => void; count: () => number } {
  let come = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = (): Promise<void> => {
    come++;
    return opened;
  };
  return { pass, open: () => open(), count: () => come };
}

async function comment(): Promise<string> {
  const { api } = workspace;
  const { id } = await makeTicket(api);
  const made = (await api.post(`/tickets/${id}/comments`, { body: SECRET })).expect(201);
  return `/tickets/${id}/comments/${made.data.id}`;
}

it('what is under way while a comment is deleted leaves nothing of it behind', async () => {
  const { api } = workspace;
  const held = gate();
  receiver.answer(async ({ body }) => {
    await held.pass();
    return { status: 200, body };
  });
  await subscribe(workspace, receiver.at('/hook'), ['ticket.comment_added']);
  const chat = {
    provider: 'slack',
    config: { webhook_url: receiver.at('/chat') },
    events: ['ticket.comment_added'],
  };
  (await api.post('/integrations', chat)).expect(201);
  await makeRule(workspace, {
    trigger: 'ticket.comment_added',
    actions: [{ type: 'webhook', url: receiver.at('/rule'), method: 'POST', body: { said: '{{comment.body}}' } }],
  });
  const path = await comment();
  await until('all three messages are under way', () => held.count() === 3);
  (await api.delete(path)).expect(200);
  held.open();
  await drained(server, workspace);
  expect(await tablesWithSecret()).toEqual([]);
});

it('a pass that has asked for the text does not log it', async () => {
  await makeRule(workspace, {
    trigger: 'ticket.comment_added',
    conditions: { all: [{ field: 'comment.body', operator: 'eq', value: 'something else' }] },
    actions: [{ type: 'stop' }],
  });
  const runner = server.app.get(RuleRunner);
  const held = gate();
  const run = runner.run.bind(runner);
  jest.spyOn(runner, 'run').mockImplementation(async (...rule) => {
    const outcome = await run(...rule);
    await held.pass();
    return outcome;
  });
  const path = await comment();
  await until('the rule was looked at', () => held.count() === 1);
  (await workspace.api.delete(path)).expect(200);
  held.open();
  await drained(server, workspace);
  expect(await tablesWithSecret()).toEqual([]);
  const runs = await workspace.api.get(path.replace(/\/comments.*/, '/automation-runs'));
  expect(runs.rows.map(({ status }) => status)).toEqual(['conditions_not_met']);
});

it('a rule whose conditions were met by the text does not act on it any more', async () => {
  await makeRule(workspace, {
    trigger: 'ticket.comment_added',
    conditions: { all: [{ field: 'comment.body', operator: 'contains', value: SECRET.slice(2, 8) }] },
    actions: [
      { type: 'add_comment', body: 'You said: {{comment.body}}' },
      { type: 'set_field', field: 'subject', value: '{{comment.body}}' },
    ],
  });
  const turns = server.app.get(Turns);
  const held = gate();
  const take = turns.take.bind(turns);
  jest.spyOn(turns, 'take').mockImplementation(async (...asked) => {
    await held.pass();
    return take(...asked);
  });
  const path = await comment();
  await until('the rule is about to act', () => held.count() === 1);
  (await workspace.api.delete(path)).expect(200);
  held.open();
  await drained(server, workspace);
  expect(await tablesWithSecret()).toEqual([]);
});
