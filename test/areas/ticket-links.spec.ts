import { keptLink, LINK_TYPES, oppositeOf } from '../../src/areas/tickets/relations/link-types';
import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const make = async (): Promise<number> => (await makeTicket(workspace.api)).id;
const link = (id: number, type: string, linked_ticket_id: unknown): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/links`, { type, linked_ticket_id });
/** What a ticket shows: type and the other. */
const linksOf = async (id: number): Promise<[unknown, unknown][]> =>
  (await workspace.api.get(`/tickets/${id}/links`)).rows.map((row) => [row.type, row.linked_ticket_id]);

describe('a link', () => {
  it('is shown by both tickets, each in its own words, and kept once', async () => {
    const [a, b] = [await make(), await make()];
    const made = (await link(a, 'blocked_by', b)).expect(201);
    expect(made.data).toMatchObject({ ticket_id: a, type: 'blocked_by', linked_ticket_id: b, created_by: null });
    expect([await linksOf(a), await linksOf(b)]).toEqual([[['blocked_by', b]], [['blocks', a]]]);
    expect(
      await sql.rows('SELECT type, from_id, to_id FROM ticket_links WHERE workspace_id = $1', [workspace.id]),
    ).toEqual([{ type: 'blocks', from_id: b, to_id: a }]);
    const there = (await workspace.api.get(`/tickets/${b}/links/${made.data.id}?expand=linked_ticket`)).expect(200);
    expect(there.data).toMatchObject({ ticket_id: b, type: 'blocks', linked_ticket: { id: a } });
    expect((await workspace.api.get(`/tickets/${a}?expand=links&fields=id`)).data).toMatchObject({
      links: [{ type: 'blocked_by', linked_ticket_id: b }],
      links_truncated: false,
    });
    expect((await workspace.api.get(`/tickets/${a}/links?type=relates`)).rows).toEqual([]);
  });

  it('changes neither ticket, and both tell of it when it is made and when it goes', async () => {
    const [a, b] = [await make(), await make()];
    const { id } = (await link(a, 'duplicates', b)).expect(201).data;
    const read = await workspace.api.get(`/tickets/${a}/links/${id}`);
    expect((await workspace.api.delete(`/tickets/${a}/links/${id}`, { 'if-match': '"7"' })).status).toBe(412);
    const gone = await workspace.api.delete(`/tickets/${a}/links/${id}`, { 'if-match': read.header('etag') ?? '' });
    expect(gone.expect(200).data).toMatchObject({ id, type: 'duplicates' });
    expect((await workspace.api.delete(`/tickets/${b}/links/${id}`)).status).toBe(404);
    for (const [ticket, type] of [
      [a, 'duplicates'],
      [b, 'duplicated_by'],
    ] as const) {
      const told = (await eventsOf(server, workspace, 'ticket', ticket)).slice(1);
      expect(told.map((event) => event.type)).toEqual(['ticket.linked', 'ticket.unlinked']);
      for (const { related } of told) expect(related).toMatchObject({ link: { id, ticket_id: ticket, type } });
      expect((await workspace.api.get(`/tickets/${ticket}`)).header('etag')).toBe('"1"');
    }
  });

  it('is refused with itself, with nothing, twice in either direction, and of unknown types', async () => {
    const [a, b] = [await make(), await make()];
    (await link(a, 'relates', b)).expect(201);
    expect((await link(b, 'relates', a)).expect(422).codes).toEqual({ linked_ticket_id: 'duplicate' });
    (await link(a, 'blocks', b)).expect(201);
    expect((await link(b, 'blocks', a)).expect(422).codes).toEqual({ linked_ticket_id: 'duplicate' });
    expect((await link(a, 'relates', a)).expect(422).codes).toEqual({ linked_ticket_id: 'invalid' });
    expect((await link(a, 'relates', 8_999_999_999_999)).expect(422).codes).toEqual({ linked_ticket_id: 'not_found' });
    expect((await link(8_999_999_999_999, 'relates', a)).status).toBe(404);
    expect((await link(a, 'clones', b)).expect(422).codes).toEqual({ type: 'enum' });
    expect((await workspace.api.post(`/tickets/${a}/links`, {})).expect(422).error.missing).toEqual([
      'type',
      'linked_ticket_id',
    ]);
    const foreign = await makeWorkspace(server);
    const theirs = (await makeTicket(foreign.api)).id;
    expect((await link(a, 'relates', theirs)).expect(422).codes).toEqual({ linked_ticket_id: 'not_found' });
    expect((await foreign.api.get(`/tickets/${a}/links`)).status).toBe(404);
  });

  it('of two requests at once, one from each side, is made once', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await make(), await make()];
      const answers = await Promise.all([link(a, 'blocks', b), link(b, 'blocks', a)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    }
  });

  it('goes with either ticket, and the other tells of it', async () => {
    const [a, b, c] = [await make(), await make(), await make()];
    const blocks = (await link(b, 'blocks', a)).expect(201).data.id;
    const relates = (await link(c, 'relates', b)).expect(201).data.id;
    (await workspace.api.delete(`/tickets/${b}`)).expect(200);
    for (const [ticket, id, type] of [
      [a, blocks, 'blocked_by'],
      [c, relates, 'relates'],
    ] as const) {
      expect(await linksOf(ticket)).toEqual([]);
      const told = (await eventsOf(server, workspace, 'ticket', ticket)).slice(1);
      expect(told.map((event) => event.type)).toEqual(['ticket.linked', 'ticket.unlinked']);
      expect(told[1]?.related).toEqual({ link: { id, type, ticket_id: ticket, linked_ticket_id: b } });
      expect((await workspace.api.get(`/tickets/${ticket}/history`)).rows[0]?.type).toBe('ticket.unlinked');
    }
    const types = (await eventsOf(server, workspace, 'ticket', b)).map(({ type }) => type);
    expect(types).toEqual(['ticket.created', 'ticket.linked', 'ticket.linked', 'ticket.deleted']);
  });

  it('is one of at most a hundred of a ticket', async () => {
    const [a, b] = [await make(), await make()];
    await sql.rows(
      `WITH made AS (INSERT INTO tickets (workspace_id, number, code, subject) SELECT $1, 900000 + n, 'TCK-' || 900000 + n, 'x' FROM generate_series(1, 100) n RETURNING id)
       INSERT INTO ticket_links (workspace_id, type, from_id, to_id) SELECT $1, 'relates', id, $2 FROM made`,
      [workspace.id, a],
    );
    expect((await link(b, 'relates', a)).expect(422).codes).toEqual({ linked_ticket_id: 'max' });
    expect((await workspace.api.get(`/tickets/${a}/links?per_page=1`)).meta.total).toBe(100);
  });
});

it('reads the same from both sides', () => {
  for (const type of LINK_TYPES) {
    expect(oppositeOf(oppositeOf(type))).toBe(type);
    const [here, there] = [keptLink(1, type, 2), keptLink(2, oppositeOf(type), 1)];
    if (type === 'relates') expect(here).toEqual({ type, from: 1, to: 2 });
    else expect(here).toEqual(there);
  }
});
