import { eventResource } from '../../src/areas/events/event.resource';
import { parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { wholeSelection } from '../../src/platform/resource/read/selection';
import { totalStatement } from '../../src/platform/resource/read/where';
import '../support/areas';
import { SCRATCH_WORKSPACE, useScratchWorkspace } from '../support/scratch-workspace';

const EVENTS = 4_000;
/** Pages that the events themselves fill, four to a page; their index by order is some fifty. */
const EVENT_PAGES = EVENTS / 4;

const scratch = useScratchWorkspace([
  // Settled by their age, whichever transactions are open beside.
  `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, data, created_at)
     SELECT ${SCRATCH_WORKSPACE}, 'evt_' || n, CASE n % 4 WHEN 0 THEN 'ticket.created' ELSE 'contact.created' END, CASE n % 4 WHEN 0 THEN 'ticket' ELSE 'contact' END,
       n, 's' || n, 0, '{}', '{}', json_build_object('text', repeat('x', 1800)), now() - interval '2 hours' FROM generate_series(1, ${EVENTS}) n`,
  'VACUUM (ANALYZE) events',
]);

it.each<[RawQuery, total: number]>([
  [{}, EVENTS],
  [{ type: 'ticket.created' }, EVENTS / 4],
  [{ type: 'ticket.*', object: 'ticket' }, EVENTS / 4],
  [{ after: 'evt_100' }, EVENTS - 100],
  [{ created_after: new Date(Date.now() - 3 * 3_600_000).toISOString() }, EVENTS],
])('the total of a log reads no event: %j', async (query, total) => {
  const plan = parseListQuery(eventResource, query, wholeSelection(eventResource));
  const { text, values = [] } = totalStatement(eventResource, plan, SCRATCH_WORKSPACE, {});
  const counted = await scratch.client.query<[string]>({ text, values: [...values], rowMode: 'array' });
  expect(Number(counted.rows[0]?.[0])).toBe(total);
  const { rows } = await scratch.client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  );
  const { Plan } = rows[0]!['QUERY PLAN'][0]!;
  expect(Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!).toBeLessThan(EVENT_PAGES / 4);
});
