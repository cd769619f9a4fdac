import { Api } from '../support/api';
import { useApp } from '../support/app';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const first = useApp();
/** Another process of the same installation. */
const second = useApp();

describe('what a process keeps in mind of a workspace', () => {
  it('is right at once where it was changed, and soon everywhere else', async () => {
    const { api: here, token } = await makeWorkspace(first);
    const there = new Api(second.url, token);
    const taken = async (api: Api): Promise<boolean> =>
      (await api.post('/tickets', { subject: 'x', custom_fields: { floor: 'third' } })).status === 201;
    expect([await taken(here), await taken(there)]).toEqual([true, true]);
    const field = { object: 'ticket', key: 'floor', label: 'Floor', type: 'number' };
    const { id } = (await here.post('/custom-fields', field)).expect(201).data;
    expect(await taken(here)).toBe(false);
    await until('the other one heard of the field', async () => !(await taken(there)));
    (await there.delete(`/custom-fields/${id}`)).expect(200);
    expect(await taken(there)).toBe(true);
    await until('the first one heard that it is gone', () => taken(here));
  });

  it('is nothing that was refused', async () => {
    const { api } = await makeWorkspace(first);
    const define = (type: string) =>
      api.post('/custom-fields', { object: 'ticket', key: 'floor', label: 'Floor', type });
    (await define('number')).expect(201);
    const [ticket] = await Promise.all([
      api.post('/tickets', { subject: 'x', custom_fields: { floor: 3 } }),
      ...['text', 'date'].map(async (type) => (await define(type)).expect(422)),
    ]);
    ticket.expect(201);
    expect((await api.get('/tickets?custom_fields.floor=gte:3')).meta.total).toBe(1);
  });
});
