import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('a ticket shows its newest escalations, however often it is escalated', async () => {
  const { api, id: workspace } = await makeWorkspace(server);
  const { id } = await makeTicket(api, { priority: 'low' });
  const path = `/tickets/${id}`;
  const [first] = (await api.post(`${path}/escalate`, { reason: 'First' })).expect(200).data.escalations as Fields[];
  await sql.rows(
    `UPDATE tickets SET escalations = (SELECT jsonb_agg($3::jsonb || jsonb_build_object('reason', n::text) ORDER BY n) FROM generate_series(1, 100) n)
     WHERE workspace_id = $1 AND id = $2`,
    [workspace, id, JSON.stringify(first)],
  );
  const reasons = async (action: string, reason: string): Promise<unknown[]> => {
    const { escalations } = (await api.post(`${path}/${action}`, { reason })).expect(200).data;
    return (escalations as Fields[]).map((each) => each.reason);
  };
  const numbers = Array.from({ length: 100 }, (_, index) => String(index + 1));
  expect(await reasons('escalate', 'Up')).toEqual([...numbers.slice(1), 'Up']);
  expect(await reasons('deescalate', 'Down')).toEqual([...numbers.slice(2), 'Up', 'Down']);
});
