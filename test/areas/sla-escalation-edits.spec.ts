import { StepsByWhatTheySay1768930000000 } from '../../migrations/1768930000000-steps-by-what-they-say';
import type { EscalationStep } from '../../src/areas/sla/escalation-step';
import { stepNumbers } from '../../src/areas/sla/step-numbers';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { useSql } from '../support/sql';
import { targets } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server, { sandbox: true });
  ({ api } = workspace);
});

/** A step of the resolution that says so in a comment. */
const step = (at: 'at_risk' | 'breach', offset_minutes: number, body: string): object => ({
  metric: 'resolution',
  at,
  offset_minutes,
  actions: [{ type: 'add_comment', body, is_internal: true }],
});

/** A ticket under a policy of its own, due after 60 minutes and at risk after 48. */
async function escalating(escalation: object[]): Promise<{ policy: Fields; id: number }> {
  const policy = (await api.post('/sla', { name: 'Gold', position: 1, targets: targets(60, 60), escalation })).expect(
    201,
  );
  return { policy: policy.data, id: (await makeTicket(api)).id };
}

async function edit({ id }: Fields, body: object): Promise<void> {
  (await api.patch(`/sla/${id}`, body)).expect(200);
  await rested(workspace);
}

const minutes = (count: number): Promise<number> => letPass(workspace, count * 60);
const said = async (id: number): Promise<unknown[]> =>
  (await api.get(`/tickets/${id}/comments?sort=created_at`)).rows.map(({ body }) => body);

describe('steps of an edited policy', () => {
  it('come to nothing when their moment has passed, and so do those that the policy no longer has', async () => {
    const { policy, id } = await escalating([step('breach', 30, 'late')]);
    await minutes(61);
    await edit(policy, { escalation: [step('at_risk', -5, 'early'), step('breach', 45, 'later')] });
    await minutes(60);
    expect(await said(id)).toEqual(['later']);
    // Nor do they when something else about the clock changes.
    (await api.patch(`/tickets/${id}`, { status: 'on_hold' })).expect(200);
    (await api.patch(`/tickets/${id}`, { status: 'open' })).expect(200);
    await minutes(60);
    expect(await said(id)).toEqual(['later']);
  });

  it('are taken once each, wherever they stand', async () => {
    const first = step('breach', -30, 'first');
    const second = step('breach', -10, 'second');
    const { policy, id } = await escalating([first, second]);
    await minutes(35);
    expect(await said(id)).toEqual(['first']);
    await edit(policy, { escalation: [second, first] });
    await edit(policy, { escalation: [step('at_risk', -40, 'past'), second, first, step('breach', 0, 'added')] });
    await minutes(10);
    expect(await said(id)).toEqual(['first']);
    await minutes(30);
    expect(await said(id)).toEqual(['first', 'second', 'added']);
  });

  it('are other ones when they say something else', async () => {
    const { policy, id } = await escalating([step('breach', -30, 'old words'), step('breach', -20, 'sooner')]);
    await edit(policy, { escalation: [step('breach', -30, 'new words'), step('breach', -10, 'sooner')] });
    await minutes(45);
    expect(await said(id)).toEqual(['new words']);
    await minutes(10);
    expect(await said(id)).toEqual(['new words', 'sooner']);
  });

  it('that stay as they are keep their moments when the targets make them late', async () => {
    const { policy, id } = await escalating([step('breach', 0, 'due')]);
    await minutes(30);
    await edit(policy, { targets: targets(20, 20) });
    await minutes(1);
    expect(await said(id)).toEqual(['due']);
  });
});

describe('the number of a step', () => {
  const some = step('breach', 0, 'x') as EscalationStep;
  const other = step('breach', 1, 'x') as EscalationStep;

  it('is that of what it says, and of its turn among those that say the same', () => {
    const [a, b] = stepNumbers([some, other]);
    expect(stepNumbers([other, some])).toEqual([b, a]);
    expect(a).not.toBe(b);
    expect(stepNumbers([some, other, some])).toEqual([a, b, (a ?? 0) + 1]);
    for (const each of [a ?? -1, b ?? -1]) expect(each >= 0 && each < 2 ** 30).toBe(true);
  });

  it('is given to steps that were known by their place', async () => {
    const { policy, id } = await escalating([step('breach', 5, 'x'), step('at_risk', 5, 'y')]);
    const numbers = async (): Promise<unknown[]> =>
      (await sql.rows(`SELECT step FROM sla_escalations WHERE ticket_id = $1 ORDER BY fire_at DESC`, [id])).map(
        (row) => row.step,
      );
    const before = await numbers();
    expect(before).toEqual(stepNumbers(policy.escalation as EscalationStep[]));
    const run = async (way: 'up' | 'down'): Promise<void> => {
      const own = /FROM sla_policies WHERE/;
      const query = (text: string, values: unknown[] = []): Promise<unknown[]> =>
        /ROLE/.test(text)
          ? Promise.resolve([])
          : sql.rows(text.replace(own, `$& workspace_id = ${workspace.id} AND`), values);
      await new StepsByWhatTheySay1768930000000()[way]({ query } as never);
    };
    await run('down');
    expect(await numbers()).toEqual([0, 1]);
    await run('up');
    expect(await numbers()).toEqual(before);
  });
});
