import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { documentOfRun } from '../support/document';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

describe('the answer of a batch', () => {
  it('names the tickets, so that later operations find earlier ones whatever "fields" leaves out', async () => {
    const { api } = await makeWorkspace(server);
    const operations = [
      { ref: 'a', op: 'create', data: { subject: 'New laptop' } },
      { op: 'comment', id: '$a', data: { body: 'Ordered.' } },
    ];
    const { data } = (await api.post('/tickets/batch?fields=subject', { operations })).expect(200);
    const [created] = (await api.get('/tickets')).expect(200).rows;
    expect(data).toMatchObject({
      summary: { total: 2, succeeded: 2 },
      results: [
        { ref: 'a', status: 201, id: created?.id, data: { subject: 'New laptop' } },
        { status: 201, id: created?.id },
      ],
    });
  });

  it('shows of comments, too, what "fields" names, and all of them otherwise', async () => {
    const { api } = await makeWorkspace(server);
    const { id } = await makeTicket(api);
    const operations = [
      { op: 'comment', id, data: { body: 'Ordered.' } },
      { op: 'update', id, data: { subject: 'x' } },
    ];
    const shown = async (query: string): Promise<unknown[]> => {
      const { data } = (await api.post(`/tickets/batch${query}`, { operations })).expect(200);
      return (data.results as Fields[]).map((result) => result.data);
    };
    const [comment] = await shown('?fields=id,channel,subject');
    const [kept] = (await api.get(`/tickets/${id}/comments`)).rows;
    expect(comment).toEqual({ id: kept?.id, channel: 'portal' });
    expect(await shown('?fields=subject')).toEqual([{}, { subject: 'x' }]);
    expect((await shown(''))[0]).toMatchObject({ ticket_id: id, body: 'Ordered.' });
  });

  it('is documented with a shape of its own', async () => {
    const { paths, components } = await documentOfRun();
    const batch = JSON.stringify(paths['/tickets/batch']?.post);
    expect(batch).toContain('TicketBatchOutcome');
    const outcome = JSON.stringify(components?.schemas?.TicketBatchOutcome);
    for (const member of ['summary', 'results', 'dry_run']) expect(outcome).toContain(`"${member}"`);
    expect(batch).not.toContain('If-Match');
  });
});
