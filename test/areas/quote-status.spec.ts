import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { insist } from '../support/insist';
import { ITEM, reason, useQuoteDesk } from '../support/quotes';
import { useSql } from '../support/sql';
import { runJob } from '../support/jobs';

const desk = useQuoteDesk(useApp({ role: 'api' }));
const sql = useSql();

/** Moves the end of a quote into the past, as time would. */
const outlive = (id: number): Promise<unknown> =>
  sql.rows(`UPDATE quotes SET expires_at = now() - interval '1 hour' WHERE id = $1`, [id]);

describe('the status', () => {
  it('needs an item, a recipient and time before it is sent', async () => {
    const bare = await desk.draft({ items: [], recipient_email: null });
    expect((await desk.status(bare.id, { status: 'sent' })).expect(422).codes).toEqual({ items: 'required' });
    (await desk.workspace.api.post(`/quotes/${bare.id}/items`, ITEM)).expect(201);
    expect((await desk.status(bare.id, { status: 'sent' })).expect(422).codes).toEqual({ recipient_email: 'required' });
    const contact = (await desk.workspace.api.post('/contacts', { email: 'ada@acme.example' })).expect(201).data;
    const late = { contact_id: contact.id, issue_date: '2020-01-01', valid_until: '2020-01-31' };
    (await desk.workspace.api.patch(`/quotes/${bare.id}`, late)).expect(200);
    expect((await desk.status(bare.id, { status: 'sent' })).expect(422).codes).toEqual({ valid_until: 'min' });
    expect((await desk.get(bare.id)).status).toBe('draft');
    (await desk.workspace.api.patch(`/quotes/${bare.id}`, { valid_until: '2035-01-31' })).expect(200);
    const sent = await desk.to(bare.id, 'sent');
    expect(sent).toMatchObject({ status: 'sent', recipient_email: 'ada@acme.example' });
    expect(sent.public_url).toMatch(/\/p\/quotes\/[\w-]+$/);
    expect(sent.sent_at).not.toBeNull();
  });

  it.each([
    ['draft', [], ['viewed', 'accepted', 'rejected', 'expired'], ['sent', 'cancelled']],
    ['sent', ['sent'], ['sent'], ['viewed', 'accepted', 'rejected', 'expired', 'cancelled']],
    ['viewed', ['sent', 'viewed'], ['sent', 'viewed'], ['accepted', 'rejected', 'expired', 'cancelled']],
    ['accepted', ['sent', 'accepted'], ['sent', 'rejected', 'expired', 'cancelled', 'accepted'], []],
    ['rejected', ['sent', 'rejected'], ['sent', 'accepted', 'cancelled'], []],
    ['expired', ['sent', 'expired'], ['accepted', 'cancelled', 'expired'], []],
    ['cancelled', ['cancelled'], ['sent', 'cancelled'], []],
  ])('%s leads only where it may', async (from, way, refused, allowed) => {
    const { id } = await desk.draft();
    await desk.to(id, ...way);
    for (const target of refused) {
      const answer = await desk.status(id, { status: target, ...reason(target) });
      expect([target, answer.status, answer.codes]).toEqual([target, 422, { status: 'invalid_transition' }]);
      expect(answer.error.details?.[0]).toMatchObject({ from, to: target, allowed });
    }
    expect((await desk.get(id)).status).toBe(from);
  });

  it('keeps each moment, announces each step once and logs it', async () => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent', 'viewed');
    const answer = await desk.status(id, {
      status: 'accepted',
      note: 'By phone',
      accepted_by: { name: ' Paul Weber ', email: 'Paul@Acme.example' },
    });
    const quote = answer.expect(200).data;
    expect(quote.accepted_by).toEqual({ name: 'Paul Weber', email: 'paul@acme.example', ip: null });
    for (const name of ['sent_at', 'viewed_at', 'accepted_at']) expect([name, quote[name]]).not.toEqual([name, null]);
    expect(await desk.typesOf(id)).toEqual([
      'quote.created',
      'quote.updated',
      'quote.sent',
      'quote.updated',
      'quote.viewed',
      'quote.updated',
      'quote.accepted',
    ]);
    const log = await desk.logOf(id);
    expect(log.map(({ type, from_status, to_status }) => [type, from_status, to_status])).toEqual([
      ['created', null, 'draft'],
      ['sent', 'draft', 'sent'],
      ['viewed', 'sent', 'viewed'],
      ['accepted', 'viewed', 'accepted'],
    ]);
    expect(log.at(-1)).toMatchObject({ data: { note: 'By phone' }, actor: { type: 'token' } });
    expect(((await desk.get(id, '?expand=events')).events as Fields[]).map(({ type }) => type)).toEqual(
      log.map(({ type }) => type),
    );
  });

  it.each([
    [{ status: 'rejected' }, { reason: 'required' }],
    [{ status: 'rejected', reason: ' ' }, { reason: 'min' }],
    [{ status: 'accepted', reason: 'x' }, { reason: 'invalid' }],
    [{ status: 'sent', accepted_by: { name: 'x' } }, { accepted_by: 'invalid' }],
    [{ status: 'accepted', accepted_by: { email: 'a@b.example' } }, { 'accepted_by.name': 'required' }],
    [{ status: 'accepted', accepted_by: 'Paul' }, { accepted_by: 'type' }],
    [{ status: 'draft' }, { status: 'enum' }],
    [{}, { status: 'required' }],
  ])('refuses %j', async (body, codes) => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent');
    expect((await desk.status(id, body)).expect(422).codes).toEqual(codes);
  });

  it('heeds If-Match, and lets one of several answers win', async () => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent');
    expect((await desk.status(id, { status: 'accepted' }, { 'if-match': '"1"' })).status).toBe(412);
    const answers = await Promise.all(
      ['accepted', 'rejected', 'accepted', 'cancelled'].map((target) =>
        insist(() => desk.status(id, { status: target, ...reason(target) })),
      ),
    );
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 422, 422, 422]);
    const steps = (await desk.typesOf(id)).filter((type) => /accepted|rejected|cancelled/.test(type));
    expect(steps.length).toBe(1);
  });
});

describe('what was sent', () => {
  it('stays as it is, but for what only we see', async () => {
    const quote = await desk.draft();
    await desk.to(quote.id, 'sent');
    const [line] = (await desk.workspace.api.get(`/quotes/${quote.id}/items`)).rows;
    const refused = [
      await desk.workspace.api.patch(`/quotes/${quote.id}`, { title: 'Other' }),
      await desk.workspace.api.patch(`/quotes/${quote.id}`, { currency: 'USD' }),
      await desk.workspace.api.post(`/quotes/${quote.id}/items`, ITEM),
      await desk.workspace.api.patch(`/quotes/${quote.id}/items/${line?.id}`, { quantity: 4 }),
      await desk.workspace.api.delete(`/quotes/${quote.id}/items/${line?.id}`),
      await desk.workspace.api.delete(`/quotes/${quote.id}`),
    ];
    for (const answer of refused) {
      expect([answer.status, Object.values(answer.codes)]).toEqual([422, ['immutable']]);
      expect(answer.error.details?.[0]).toMatchObject({ status: 'sent' });
    }
    const before = await desk.get(quote.id);
    (await desk.workspace.api.patch(`/quotes/${quote.id}`, { ...before, custom_fields: { region: 'EMEA' } })).expect(
      200,
    );
    expect(await desk.get(quote.id)).toMatchObject({
      title: 'Printers',
      total: quote.total,
      custom_fields: { region: 'EMEA' },
    });
  });

  it('leaves a log that nobody can change, not even the owner of the tables', async () => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent');
    for (const statement of [
      `UPDATE quote_events SET type = 'created' WHERE quote_id = ${id}`,
      `DELETE FROM quote_events WHERE quote_id = ${id}`,
      'TRUNCATE quote_events',
    ])
      await expect(sql.rows(statement)).rejects.toThrow('What happened to a quote cannot be changed.');
    const [grants] = await sql.rows(
      `SELECT has_table_privilege('helpdesk_app', 'quote_events', 'UPDATE') AS u, has_table_privilege('helpdesk_app', 'quote_events', 'DELETE') AS d`,
    );
    expect(grants).toEqual({ u: false, d: false });
    expect((await desk.logOf(id)).length).toBe(2);
  });

  it('wins its deal when it is accepted, unless told not to', async () => {
    for (const [body, expected] of [
      [{}, 'won'],
      [{ deal_won: false }, 'open'],
    ] as const) {
      const deal = (await desk.workspace.api.post('/crm/deals', { title: 'Printers' })).expect(201).data;
      const { id } = await desk.draft({ deal_id: deal.id });
      await desk.to(id, 'sent');
      (await desk.status(id, { status: 'accepted', ...body })).expect(200);
      expect((await desk.workspace.api.get(`/crm/deals/${deal.id}`)).data.status).toBe(expected);
    }
  });
});

describe('expiry', () => {
  it('is the end of valid_until in the zone of the workspace', async () => {
    await sql.rows(`UPDATE workspaces SET timezone = 'Pacific/Auckland' WHERE id = $1`, [desk.workspace.id]);
    const { id } = await desk.draft({ issue_date: '2035-06-01', valid_until: '2035-06-30' });
    await desk.to(id, 'sent');
    const [row] = await sql.rows<{ at: string }>(`SELECT expires_at::text AS at FROM quotes WHERE id = $1`, [id]);
    expect(new Date(row?.at ?? '').toISOString()).toBe('2035-06-30T12:00:00.000Z');
    await sql.rows(`UPDATE workspaces SET timezone = 'UTC' WHERE id = $1`, [desk.workspace.id]);
  });

  it('is shown and holds whether or not anybody noted it', async () => {
    const { id } = await desk.draft();
    const etag = (await desk.status(id, { status: 'sent' })).header('etag') ?? '';
    await outlive(id);
    const read = await desk.workspace.api.get(`/quotes/${id}`, { 'if-none-match': etag });
    expect([read.status, read.data.status]).toEqual([200, 'expired']);
    expect(read.data.expired_at).not.toBeNull();
    const isOver = async (): Promise<void> => {
      for (const target of ['accepted', 'viewed', 'cancelled', 'expired'])
        expect((await desk.status(id, { status: target })).expect(422).error.details?.[0]).toMatchObject({
          from: 'expired',
          allowed: [],
        });
    };
    await isOver();
    // Another application of this run may have noted it at any time before.
    await runJob(desk.server, 'quote-expiry');
    await isOver();
    expect(await desk.get(id)).toMatchObject({ status: 'expired', expired_at: read.data.expired_at });
    expect((await desk.logOf(id)).slice(-1)).toMatchObject([{ type: 'expired', from_status: 'sent' }]);
    expect((await desk.typesOf(id)).filter((type) => type === 'quote.expired')).toHaveLength(1);
  });
});

describe('a revision', () => {
  it('is a draft with the same content that replaces an open quote', async () => {
    const old = await desk.draft({
      issue_date: '2035-01-01',
      valid_until: '2035-01-11',
      discount: { type: 'percent', value: 5 },
      terms: 'Net',
    });
    await desk.to(old.id, 'sent');
    const revision = (await desk.workspace.api.post(`/quotes/${old.id}/revise?expand=items`)).expect(201).data;
    expect(revision).toMatchObject({
      status: 'draft',
      revision: 2,
      revision_of_id: old.id,
      title: 'Printers',
      terms: 'Net',
      total: old.total,
      public_url: null,
      sent_at: null,
      items: [{ ...ITEM, position: 1 }],
    });
    expect(revision.number).not.toBe(old.number);
    expect(Date.parse(String(revision.valid_until)) - Date.parse(String(revision.issue_date))).toBe(10 * 86_400_000);
    expect(await desk.get(old.id)).toMatchObject({ status: 'cancelled', revised_by_id: revision.id });
    expect((await desk.typesOf(old.id)).slice(-3)).toEqual(['quote.updated', 'quote.cancelled', 'quote.revised']);
    expect((await desk.logOf(old.id)).slice(-2)).toMatchObject([
      { type: 'cancelled', from_status: 'sent' },
      { type: 'revised', data: { revision: { id: revision.id, number: revision.number } } },
    ]);
  });

  it.each([[[]], [['cancelled']], [['sent', 'accepted']]])('comes from no quote that went %j', async (way) => {
    const { id } = await desk.draft();
    await desk.to(id, ...way);
    expect((await desk.workspace.api.post(`/quotes/${id}/revise`)).expect(422).codes).toEqual({
      status: 'invalid_transition',
    });
  });

  it('comes once: of several at the same time one wins', async () => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent', 'rejected');
    const revise = (): Promise<Answer> => insist(() => desk.workspace.api.post(`/quotes/${id}/revise`));
    const answers = await Promise.all(Array.from({ length: 4 }, revise));
    expect(answers.map(({ status: code }) => code).sort()).toEqual([201, 422, 422, 422]);
    expect(answers.find(({ status: code }) => code === 422)?.codes).toEqual({ id: 'already_revised' });
    const revision = answers.find(({ status: code }) => code === 201)?.data;
    expect(await desk.get(id)).toMatchObject({ status: 'rejected', revised_by_id: revision?.id });
    (await desk.workspace.api.delete(`/quotes/${revision?.id}`)).expect(200);
    (await desk.workspace.api.post(`/quotes/${id}/revise`)).expect(201);
  });

  it('notes the end of a quote whose time was over', async () => {
    const { id } = await desk.draft();
    await desk.to(id, 'sent');
    await outlive(id);
    (await desk.workspace.api.post(`/quotes/${id}/revise`)).expect(201);
    expect((await desk.get(id)).status).toBe('expired');
    expect((await desk.typesOf(id)).slice(-2)).toEqual(['quote.expired', 'quote.revised']);
  });
});
