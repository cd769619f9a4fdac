import { Tokens } from '../../src/platform/auth/tokens.service';
import { useApp } from '../support/app';
import { type LoggedEvent, eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { runJob } from '../support/jobs';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

describe('tokens', () => {
  it('announce that they were issued and revoked, once, and never themselves', async () => {
    const workspace = await makeWorkspace(server);
    const tokens = server.app.get(Tokens);
    const issued = await tokens.create({ workspaceId: workspace.id, scopes: ['read'], name: 'Reporting' });
    await tokens.revoke(issued.id);
    await tokens.revoke(issued.id);
    const events = await eventsOf(server, workspace, 'token', issued.id);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['token.created', { id: issued.id, name: 'Reporting', type: 'developer', scopes: ['read'] }],
      ['token.revoked', { id: issued.id, name: 'Reporting', type: 'developer', scopes: ['read'] }],
    ]);
  });

  it('announce a rotation as a new token, and the old one as revoked when it ends at once', async () => {
    const workspace = await makeWorkspace(server);
    const tokens = server.app.get(Tokens);
    const next = await tokens.rotate(workspace.tokenId, 60);
    const last = await tokens.rotate(next.id, 0);
    const types = async (id: number): Promise<string[]> =>
      (await eventsOf(server, workspace, 'token', id)).map(({ type }) => type);
    expect(await types(workspace.tokenId)).toEqual(['token.created']);
    expect(await types(next.id)).toEqual(['token.created', 'token.revoked']);
    expect(await types(last.id)).toEqual(['token.created']);
  });
});

describe('the monthly quota', () => {
  async function used(workspace: TestWorkspace, requests: number): Promise<LoggedEvent[]> {
    await sql.rows(
      `INSERT INTO quota_usage AS q (workspace_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2)
       ON CONFLICT (workspace_id, month) DO UPDATE SET used = excluded.used`,
      [workspace.id, requests],
    );
    await runJob(server, 'quota-events');
    return eventsOf(server, workspace, 'quota', workspace.id);
  }

  it('is announced when more than 80 % is used, and when all of it is, once each', async () => {
    const workspace = await makeWorkspace(server, { plan: await makePlan(server, { monthlyQuota: 1000 }) });
    expect(await used(workspace, 800)).toEqual([]);
    expect((await used(workspace, 801)).map(({ type }) => type)).toEqual(['quota.warning']);
    const events = await used(workspace, 1000);
    expect(events.map(({ type }) => type)).toEqual(['quota.warning', 'quota.exceeded']);
    expect(events[1]?.data).toMatchObject({ used: 1000, limit: 1000, pct: 100 });
    expect(await used(workspace, 1001)).toHaveLength(2);
  });

  it('of an unlimited plan is never used up', async () => {
    const workspace = await makeWorkspace(server, { plan: await makePlan(server, { monthlyQuota: 0 }) });
    expect(await used(workspace, 1_000_000)).toEqual([]);
  });
});
