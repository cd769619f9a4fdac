import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

/** What a ticket says of its comments, how many there are, and how many it shows: those are not looked for where it says 0. */
const counts = async (id: number): Promise<unknown[]> => {
  const shown = (await workspace.api.get(`/tickets/${id}?expand=comments`)).expect(200).data;
  const { meta } = (await workspace.api.get(`/tickets/${id}/comments?per_page=1`)).expect(200);
  const [listed] = (await workspace.api.get(`/tickets?ids=${id}&expand=comments`)).expect(200).rows;
  const lengths = [shown, listed].map((ticket) => (ticket?.comments as Fields[]).length);
  return [shown.comment_count, meta.total, ...lengths];
};
const same = (n: number): number[] => [n, n, n, n];

describe('the number of comments', () => {
  it('is of those that are there, whatever brings or takes them', async () => {
    const { api } = workspace;
    const { id } = await makeTicket(api);
    expect(await counts(id)).toEqual(same(0));
    const first = (await api.post(`/tickets/${id}/comments`, { body: 'One' })).expect(201).data;
    (await api.post(`/tickets/${id}/comments`, { body: 'Two', is_internal: true })).expect(201);
    expect(await counts(id)).toEqual(same(2));
    (await api.delete(`/tickets/${id}/comments/${first.id}`)).expect(200);
    expect(await counts(id)).toEqual(same(1));
    (await api.post(`/tickets/${id}/escalate`, { reason: 'urgent' })).expect(200);
    (await api.post(`/tickets/${id}/deescalate`, { reason: 'calm' })).expect(200);
    expect(await counts(id)).toEqual(same(3));
    const into = await makeTicket(api);
    (await api.post(`/tickets/${id}/merge`, { into_id: into.id, comment: 'See there' })).expect(200);
    expect(await counts(id)).toEqual(same(0));
    expect(await counts(into.id)).toEqual(same(4));
  });

  it('is right when many come at once', async () => {
    const { api } = workspace;
    const { id } = await makeTicket(api);
    const bodies = Array.from({ length: 12 }, (_, n) => ({ body: `Comment ${n}` }));
    const made = await Promise.all(bodies.map((body) => api.post(`/tickets/${id}/comments`, body)));
    await Promise.all(made.slice(0, 5).map(({ data }) => api.delete(`/tickets/${id}/comments/${data.id}`)));
    expect(await counts(id)).toEqual(same(7));
  });
});
