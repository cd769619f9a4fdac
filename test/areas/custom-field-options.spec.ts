import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { holdingRows } from '../support/held-rows';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const SOUTH = { value: 'south', label: 'South wing' };
const NORTH = { value: 'north', label: 'North wing' };

const WAITING = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

it.each([
  ['says so', { custom_fields: { site: 'north' } }],
  ['has it by default', {}],
])('an option is not taken away from a ticket that is being written and %s', async (_how, body) => {
  const { api, id: workspace } = await makeWorkspace(server);
  const options = [SOUTH, NORTH];
  const field = { object: 'ticket', key: 'site', label: 'Site', type: 'select', options, default_value: 'north' };
  const site = (await api.post('/custom-fields', field)).expect(201).data;
  const category = await make(api, '/categories');
  const path = `/custom-fields/${site.id}`;
  let made: Promise<unknown> = Promise.resolve();
  let taken: ReturnType<typeof api.patch> | undefined;
  // Whoever names a category waits.
  const categories = 'SELECT FROM categories WHERE workspace_id = $1 FOR UPDATE';
  await holdingRows(categories, [workspace], async ({ waiting }) => {
    // The look at the category comes last: the ticket is as good as written.
    made = makeTicket(api, { category_id: category.id, ...body });
    await waiting();
    let isOver = false;
    taken = api.patch(path, { options: [SOUTH], default_value: null }).finally(() => (isOver = true));
    await until('the other is answered, or waits', async () => {
      return isOver || (await sql.rows(WAITING)).length > 0;
    });
  });
  expect(await made).toMatchObject({ custom_fields: { site: 'north' } });
  expect((await taken)?.expect(409).codes).toEqual({ options: 'in_use' });
  const [ticket] = (await api.get('/tickets')).expect(200).rows;
  (await api.delete(`/tickets/${ticket?.id}`)).expect(200);
  (await api.patch(path, { options: [SOUTH], default_value: null })).expect(200);
  (await api.post('/tickets', { subject: 'x', custom_fields: { site: 'north' } })).expect(422);
});
