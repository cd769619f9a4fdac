import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

/** At the half of an hour: what is planned by the hour is half an hour away. */
beforeAll(async () => {
  workspace = await makeWorkspace(server, { sandbox: true });
  const now = await letPass(workspace, 'PT1H');
  await letPass(workspace, Math.ceil((5_400_000 - (now % 3_600_000)) / 1_000));
});

const schedule = (cron: string): object => ({ event: 'schedule', cron, timezone: 'UTC' });
const actions = [{ type: 'add_tags', tags: ['ticked'] }];

/** How often a rule ran once the clock has moved by an hour, right now. */
async function ranInAnHour(id: number): Promise<number> {
  (await workspace.api.post('/sandbox/clock', { advance: 'PT1H' })).expect(200);
  await rested(workspace);
  return (await runsOf(workspace, 'automations', id)).length;
}

it('counts from the moment at which it was written, changed or switched on, however soon the clock moves', async () => {
  await makeTicket(workspace.api);
  const { id } = await makeRule(workspace, { trigger: schedule('0 * * * *'), actions });
  expect(await ranInAnHour(id)).toBe(1);
  const yearly = await makeRule(workspace, { trigger: schedule('0 0 29 2 *'), actions });
  await rested(workspace);
  (await workspace.api.patch(`/automations/${yearly.id}`, { trigger: schedule('15 * * * *') })).expect(200);
  expect(await ranInAnHour(yearly.id)).toBe(1);
  const off = await makeRule(workspace, { trigger: schedule('45 * * * *'), actions, is_active: false });
  expect(await ranInAnHour(off.id)).toBe(0);
  (await workspace.api.patch(`/automations/${off.id}`, { is_active: true })).expect(200);
  expect(await ranInAnHour(off.id)).toBe(1);
});

it('keeps its plan when something else of it changes', async () => {
  const { id } = await makeRule(workspace, { trigger: schedule('0 * * * *'), actions });
  (await workspace.api.post('/sandbox/clock', { advance: 'PT1H' })).expect(200);
  (await workspace.api.patch(`/automations/${id}`, { name: 'Other', trigger: schedule('0 * * * *') })).expect(200);
  await rested(workspace);
  expect(await runsOf(workspace, 'automations', id)).toHaveLength(1);
});
