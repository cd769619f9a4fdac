import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let home: TestWorkspace;
let eve: number;
beforeAll(async () => {
  home = await makeWorkspace(server);
  eve = (await makeUser(home.api, { email: 'eve@x.example' })).id;
});

const make = async (fields: object = {}): Promise<Fields> =>
  (await home.api.post('/assets', { name: 'Laptop', ...fields })).expect(201).data;
const patch = (id: number, fields: object): Promise<Answer> => home.api.patch(`/assets/${id}`, fields);
const refused = async (answer: Promise<Answer>): Promise<unknown> => (await answer).expect(422).codes;
const historyOf = async (id: number): Promise<Fields[]> =>
  (await home.api.get(`/assets/${id}/history`)).expect(200).rows;

describe('parts of an asset', () => {
  const part = async (parent_id: number | null): Promise<number> => (await make({ parent_id })).id;

  it('are at most five levels deep, counting what hangs below a moved one', async () => {
    const chain = [await part(null)];
    for (let level = 2; level <= 5; level++) chain.push(await part(chain.at(-1) ?? 0));
    expect(await refused(home.api.post('/assets', { name: 'x', parent_id: chain[4] }))).toEqual({
      parent_id: 'max_depth',
    });
    const top = await part(null);
    expect(await refused(patch(chain[0] ?? 0, { parent_id: top }))).toEqual({ parent_id: 'max_depth' });
    (await patch(chain[1] ?? 0, { parent_id: top })).expect(200);
    expect(await refused(patch(top, { parent_id: chain[4] }))).toEqual({ parent_id: 'cycle' });
    expect(await refused(patch(top, { parent_id: top }))).toEqual({ parent_id: 'cycle' });
  });

  it('make no circle when two are moved at once', async () => {
    for (let round = 0; round < 3; round++) {
      const [left, right] = [await part(null), await part(null)];
      const answers = await Promise.all([patch(left, { parent_id: right }), patch(right, { parent_id: left })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  it('keep the whole from being deleted', async () => {
    const whole = await part(null);
    const piece = await part(whole);
    expect((await home.api.get(`/assets/${whole}?expand=components`)).data.components).toMatchObject([{ id: piece }]);
    expect(await refused(home.api.delete(`/assets/${whole}`))).toEqual({ id: 'in_use' });
    (await patch(piece, { parent_id: null })).expect(200);
    (await home.api.delete(`/assets/${whole}`)).expect(200);
  });
});

describe('tickets of an asset', () => {
  it('name assets that exist, show them, count for them and are listed for them', async () => {
    const [one, two] = [await make(), await make()];
    const unknown = (await home.api.post('/tickets', { subject: 'x', asset_ids: [one.id, 999_999] })).expect(422);
    expect(unknown.codes).toEqual({ asset_ids: 'not_found' });
    const both = await makeTicket(home.api, { asset_ids: [two.id, one.id, two.id], priority: 'high' });
    const second = await makeTicket(home.api, { asset_ids: [one.id], priority: 'low' });
    const bare = await makeTicket(home.api, {});
    const shown = (await home.api.get(`/tickets/${both.id}?expand=assets`)).data;
    expect(shown.assets).toEqual([
      (await home.api.get(`/assets/${two.id}`)).data,
      (await home.api.get(`/assets/${one.id}`)).data,
    ]);
    expect((await home.api.get(`/tickets?ids=${bare.id}&expand=assets`)).rows[0]?.assets).toEqual([]);
    const listed = (await home.api.get(`/assets/${one.id}/tickets?sort=-priority&per_page=1`)).expect(200);
    expect([listed.rows.map(({ id }) => id), listed.meta.total]).toEqual([[both.id], 2]);
    const next = (await home.api.get(listed.body.links?.next ?? '')).expect(200);
    expect(next.rows.map(({ id }) => id)).toEqual([second.id]);
    expect((await home.api.get(`/assets/${one.id}/tickets?asset_id=${two.id}&priority=high`)).meta.total).toBe(1);
    expect((await home.api.get(`/tickets?asset_id=${one.id},${two.id}`)).meta.total).toBe(2);
    (await home.api.get('/assets/999999/tickets')).expect(404);
    const counts = async (): Promise<unknown[]> =>
      (await home.api.get(`/assets?ids=${one.id},${two.id}&sort=id`)).rows.map((row) => row.ticket_count);
    expect(await counts()).toEqual([2, 1]);
    (await home.api.patch(`/tickets/${second.id}`, { asset_ids: [two.id] })).expect(200);
    expect(await counts()).toEqual([1, 2]);
    (await home.api.delete(`/tickets/${both.id}`)).expect(200);
    expect(await counts()).toEqual([0, 1]);
  });

  it('remember the company that goes', async () => {
    const company = (await home.api.post('/companies', { name: 'Acme' })).expect(201).data;
    const asset = await make({ company_id: company.id });
    (await home.api.delete(`/companies/${company.id}`)).expect(200);
    expect((await historyOf(asset.id))[0]).toMatchObject({
      ...{ action: 'updated', from: { company_id: company.id }, to: { company_id: null } },
    });
  });

  it('lose an asset that is deleted, with a version and an event each', async () => {
    const [one, two] = [await make({ assigned_to: eve }), await make()];
    const lists = [[one.id], [one.id], [two.id, one.id], [two.id], []];
    const tickets: Fields[] = [];
    for (const asset_ids of lists) tickets.push(await makeTicket(home.api, { asset_ids }));
    const before = (await home.api.get(`/assets/${one.id}`)).data;
    expect((await home.api.delete(`/assets/${one.id}`)).expect(200).data).toEqual(before);
    const ids = tickets.map(({ id }) => id).join(',');
    const after = (await home.api.get(`/tickets?ids=${ids}&sort=id`)).rows.map(({ asset_ids }) => asset_ids);
    expect(after).toEqual([[], [], [two.id], [two.id], []]);
    for (const [index, ticket] of tickets.entries()) {
      const events = (await eventsOf(server, home, 'ticket', ticket.id)).filter(
        ({ type }) => type === 'ticket.updated',
      );
      const changed = lists[index]?.includes(one.id);
      expect(events.map(({ changes }) => changes)).toEqual(
        changed ? [{ asset_ids: { from: lists[index], to: after[index] } }] : [],
      );
    }
    (await home.api.get(`/assets/${one.id}`)).expect(404);
    const [last] = await historyOf(one.id);
    expect(last).toMatchObject({ action: 'deleted', from: { assigned_to: eve, asset_tag: one.asset_tag }, to: {} });
    (await home.api.get('/assets/999999/history')).expect(404);
  });

  it('never name an asset that was deleted at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const asset = await make();
      const [deleted, ...created] = await Promise.all([
        home.api.delete(`/assets/${asset.id}`),
        ...Array.from({ length: 3 }, () => home.api.post('/tickets', { subject: 'x', asset_ids: [asset.id] })),
      ]);
      deleted.expect(200);
      for (const answer of created) {
        if (answer.status === 422) expect(answer.codes).toEqual({ asset_ids: 'not_found' });
        else expect((await home.api.get(`/tickets/${answer.expect(201).data.id}`)).data.asset_ids).toEqual([]);
      }
    }
    const [left] = await sql.rows<{ n: number }>(
      `SELECT count(*) AS n FROM tickets t, unnest(t.asset_ids) AS a (id) WHERE t.workspace_id = $1
         AND NOT EXISTS (SELECT FROM assets x WHERE x.workspace_id = $1 AND x.id = a.id)`,
      [home.id],
    );
    expect(left?.n).toBe(0);
  });
});
