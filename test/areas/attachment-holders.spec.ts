import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { uploaded } from '../support/uploads';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

describe('a file of a record', () => {
  it('becomes it with the record, once', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const [one, two] = [await uploaded(api, 'one', '1.txt'), await uploaded(api, 'two', '2.txt')];
    const body = { subject: 'Jam', attachment_ids: [one.id] };
    const ticket = (await api.post('/tickets?expand=attachments', body)).expect(201).data;
    expect(ticket.attachments).toMatchObject([{ id: one.id, ticket_id: ticket.id, filename: '1.txt' }]);
    expect((await api.post('/tickets', { subject: 'x', attachment_ids: [two.id, one.id] })).expect(422).codes).toEqual({
      attachment_ids: 'in_use',
    });
    expect((await api.post('/tickets', { subject: 'x', attachment_ids: [two.id, 99] })).expect(422).codes).toEqual({
      attachment_ids: 'not_found',
    });
    expect((await api.get('/tickets')).meta.total).toBe(1);
    const changed = (await api.patch(`/tickets/${ticket.id}?expand=attachments`, { attachment_ids: [two.id] })).expect(
      200,
    );
    expect((changed.data.attachments as { id: number }[]).map(({ id }) => id)).toEqual([one.id, two.id]);
    const events = await eventsOf(server, workspace, 'ticket', ticket.id);
    expect(events.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.updated']);
    expect(events[1]?.related).toMatchObject({ attachments: [{ id: two.id, filename: '2.txt', size: 3 }] });
  });

  it('of two at once goes to one', async () => {
    const { api } = await makeWorkspace(server);
    const { id } = await uploaded(api, 'one');
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => api.post('/tickets', { subject: `${n}`, attachment_ids: [id] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect((await api.get('/tickets')).meta.total).toBe(1);
  });

  it('is shown by its comment until it is deleted', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const ticket = await makeTicket(api);
    const file = await uploaded(api, 'log', 'a.log');
    const comment = (
      await api.post(`/tickets/${ticket.id}/comments`, { body: 'See', attachment_ids: [file.id] })
    ).expect(201).data;
    const shown = {
      id: file.id,
      filename: 'a.log',
      content_type: 'text/plain',
      size: 3,
      url: `/v1/attachments/${file.id}/content`,
    };
    expect(comment.attachments).toEqual([shown]);
    expect((await api.get(`/tickets/${ticket.id}/comments/${comment.id}`)).data.attachments).toEqual([shown]);
    expect((await api.get(`/attachments?comment_id=${comment.id}`)).rows).toMatchObject([
      { id: file.id, ticket_id: ticket.id },
    ]);
    expect((await api.get(`/tickets/${ticket.id}?expand=attachments`)).data.attachments).toEqual([]);
    const more = await uploaded(api, 'more', 'b.log');
    const edited = await api.patch(`/tickets/${ticket.id}/comments/${comment.id}`, {
      body: 'See',
      attachment_ids: [more.id],
    });
    expect(edited.expect(200).data.attachments).toHaveLength(2);
    (await api.delete(`/attachments/${file.id}`)).expect(200);
    expect((await api.get(`/tickets/${ticket.id}/comments/${comment.id}`)).data.attachments).toMatchObject([
      { id: more.id },
    ]);
    const types = (await eventsOf(server, workspace, 'ticket', ticket.id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'ticket.comment_updated')).toHaveLength(2);
    (await api.delete(`/tickets/${ticket.id}/comments/${comment.id}`)).expect(200);
    (await api.get(`/attachments/${more.id}`)).expect(404);
  });

  it('hangs on articles and quotes likewise; what a customer was sent stays', async () => {
    const { api } = await makeWorkspace(server);
    const [one, two, three] = [await uploaded(api, '1'), await uploaded(api, '2'), await uploaded(api, '3')];
    const article = (
      await api.post('/kb/articles?expand=attachments', { title: 'A', body: 'B', attachment_ids: [one.id] })
    ).expect(201).data;
    expect(article.attachments).toMatchObject([{ id: one.id }]);
    const quote = (
      await api.post('/quotes?expand=attachments', {
        title: 'Q',
        currency: 'EUR',
        recipient_email: 'ada@example.com',
        items: [{ name: 'x', unit_price: 1 }],
        attachment_ids: [two.id],
      })
    ).expect(201).data;
    expect(quote.attachments).toMatchObject([{ id: two.id }]);
    (await api.post(`/attachments/${two.id}/link`, {})).expect(422);
    (await api.post(`/quotes/${quote.id}/status`, { status: 'sent' })).expect(200);
    (await api.post(`/attachments/${two.id}/link`, {})).expect(200);
    expect((await api.delete(`/attachments/${two.id}`)).expect(422).codes).toEqual({ id: 'immutable' });
    expect((await api.patch(`/quotes/${quote.id}`, { attachment_ids: [three.id] })).expect(422).codes).toEqual({
      attachment_ids: 'immutable',
    });
  });
});
