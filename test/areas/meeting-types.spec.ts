import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

describe('a new workspace', () => {
  it('has three types of meetings that can be booked as soon as there is somebody', async () => {
    const { api } = await makeWorkspace(server);
    const types = (await api.get('/meetings/types')).expect(200).rows;
    expect(types.map(({ slug, duration_minutes }) => [slug, duration_minutes])).toEqual([
      ['15-minute-meeting', 15],
      ['30-minute-meeting', 30],
      ['60-minute-meeting', 60],
    ]);
    expect((await api.get('/meetings/availability')).expect(200).data).toMatchObject({
      duration_minutes: 30,
      slots: [],
      days: {},
    });
    const nobody = await api.post('/meetings', { type_id: types[0]?.id, starts_at: '2031-01-06T09:00:00Z' });
    expect([nobody.status, nobody.codes]).toEqual([422, { host_id: 'required' }]);
  });
});

it('a type that has meetings stays, another one goes', async () => {
  const workspace = await makeWorkspace(server);
  const host = (await makeUser(workspace.api)).id;
  const make = async (): Promise<number> =>
    (
      await workspace.api.post('/meetings/types', {
        name: 'Demo',
        duration_minutes: 30,
        minimum_notice_minutes: 0,
        booking_window_days: 730,
        host_ids: [host],
        schedule: { mode: '24x7' },
      })
    ).expect(201).data.id;
  const [used, unused] = [await make(), await make()];
  const slot = (await workspace.api.get(`/meetings/availability?type_id=${used}`)).data as unknown as {
    slots: { starts_at: string }[];
  };
  (await workspace.api.post('/meetings', { type_id: used, starts_at: slot.slots[5]?.starts_at })).expect(201);
  expect((await workspace.api.delete(`/meetings/types/${used}`)).expect(422).codes).toEqual({ id: 'in_use' });
  expect((await workspace.api.delete(`/meetings/types/${unused}`)).expect(200).data.slug).toBe('demo-2');
});
