import fc from 'fast-check';
import { current } from '../../src/platform/context/current';
import { Database } from '../../src/platform/database/database';
import { useOwnApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useOwnApp();
const sql = useSql();

/** Whether each of the statements that one request for a record sends reads its text; jobs, which have no address, may read it meanwhile. */
async function textsOf({ api }: TestWorkspace, path: string): Promise<boolean[]> {
  const database = server.app.get(Database);
  const read = database.rawRead.bind(database);
  const texts: boolean[] = [];
  const sent = jest.spyOn(database, 'rawRead').mockImplementation((statement) => {
    if (current().clientAddress !== null) texts.push(statement.text.includes('row_to_json'));
    return read(statement);
  });
  (await api.get(path)).expect(200);
  sent.mockRestore();
  return texts;
}

/** A record is the same after so many requests. With a relation, which is never kept, it is the truth. */
async function repeated({ api }: TestWorkspace, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { company: _relation, ...truth } = (await api.get(`${path}?expand=company`)).expect(200).data;
    const shown: unknown[] = [];
    for (let again = 0; again < 4; again++) shown.push((await api.get(path)).expect(200).data);
    // Should a job write in between: what was stale would stay so.
    if (attempt < 4 && JSON.stringify(shown) !== JSON.stringify(shown.map(() => truth))) continue;
    expect(shown).toEqual(shown.map(() => truth));
    return;
  }
}

describe('a record that is asked for again and again', () => {
  it('is not read anew while it is what it was', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeTicket(workspace.api, { subject: 'Überall "1"' });
    const path = `/tickets/${id}`;
    const reads: boolean[][] = [];
    for (let time = 0; time < 4; time++) reads.push(await textsOf(workspace, path));
    (await workspace.api.patch(path, { subject: 'Another' })).expect(200);
    for (let time = 0; time < 2; time++) reads.push(await textsOf(workspace, path));
    expect(reads).toEqual([[true], [true], [false], [false], [false, true], [false]]);
    // Other fields are another text.
    expect(await textsOf(workspace, `${path}?fields=id,subject`)).toEqual([true]);
    // What changes before anybody asks again is not kept at once.
    const changed: boolean[][] = [];
    for (let time = 0; time < 3; time++) {
      await sql.rows(`UPDATE tickets SET subject = subject || '.' WHERE id = $1`, [id]);
      changed.push(await textsOf(workspace, path));
    }
    expect(changed).toEqual([[false, true], [false, true], [true]]);
    const { api } = workspace;
    for (let time = 0; time < 3; time++) await api.get(path);
    const { data } = (await api.get(path)).expect(200);
    expect(data.subject).toBe('Another...');
    (await api.delete(path)).expect(200);
    for (let time = 0; time < 4; time++) (await api.get(path)).expect(404);
  });

  it('is what it is, whoever changes it and how', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const { id } = await makeTicket(api);
    const path = `/tickets/${id}`;
    const changes = {
      patch: () => api.patch(path, { subject: `changed ${Math.random()}` }),
      nothing: () => api.patch(path, {}),
      comment: () => api.post(`${path}/comments`, { body: 'Hello' }),
      // As another process or a job does that leaves the version alone.
      unversioned: () => sql.rows(`UPDATE tickets SET tags = tags || 't' WHERE id = $1`, [id]),
      twice: () =>
        sql.rows(
          `DO $$ BEGIN UPDATE tickets SET tags = 'a' WHERE id = ${id}; UPDATE tickets SET tags = 'b' WHERE id = ${id}; END $$`,
        ),
      rolledBack: () =>
        sql.rows(
          `DO $$ BEGIN UPDATE tickets SET subject = 'never' WHERE id = ${id}; RAISE EXCEPTION 'x'; EXCEPTION WHEN raise_exception THEN NULL; END $$`,
        ),
      vacuum: () => sql.rows('VACUUM FREEZE tickets'),
      read: () => api.get(path),
    };
    type Kind = keyof typeof changes;
    const kinds = fc.constantFrom(...(Object.keys(changes) as Kind[]));
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const kind of steps) {
          await changes[kind]();
          await repeated(workspace, path);
        }
      }),
      { numRuns: 6 },
    );
  });

  it('shows what time and other records make of a row that nobody writes', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const company = await make(api, '/companies', { name: 'Acme' });
    const path = `/companies/${company.id}`;
    for (let tickets = 1; tickets <= 3; tickets++) {
      await makeTicket(api, { company_id: company.id });
      for (let again = 0; again < 4; again++) expect((await api.get(path)).data.open_ticket_count).toBe(tickets);
    }
    const ticket = await makeTicket(api);
    for (let again = 0; again < 3; again++) (await api.get(`/tickets/${ticket.id}`)).expect(200);
    await sql.rows(
      `UPDATE tickets SET sla_status = 'on_track', sla_at_risk_at = now() + interval '1 second', next_sla_due_at = now() + interval '1 hour' WHERE id = $1`,
      [ticket.id],
    );
    await until('the ticket is at risk', async () => {
      const { data } = await api.get(`/tickets/${ticket.id}?fields=sla_status`);
      return data.sla_status === 'at_risk';
    });
  });

  it('is there for those who see it, for as long as they do', async () => {
    const workspace = await makeWorkspace(server);
    const limited = await makePerson(server, workspace, { ticket_scope: 'assigned' });
    const { id } = await makeTicket(workspace.api, { assigned_to: limited.id });
    const path = `/tickets/${id}`;
    const statuses = async (): Promise<number[]> => {
      const answers = [];
      for (const api of [workspace.api, limited.api])
        for (let again = 0; again < 4; again++) answers.push((await api.get(path)).status);
      return [...new Set(answers.slice(0, 4)), ...new Set(answers.slice(4))];
    };
    expect(await statuses()).toEqual([200, 200]);
    (await workspace.api.patch(path, { assigned_to: null })).expect(200);
    expect(await statuses()).toEqual([200, 404]);
    const other = await makeWorkspace(server);
    for (let again = 0; again < 4; again++) (await other.api.get(path)).expect(404);
  });

  it('tells clients that have it so', async () => {
    const { api } = await makeWorkspace(server);
    const { id } = await makeTicket(api);
    const path = `/tickets/${id}`;
    for (let again = 0; again < 3; again++) await api.get(path);
    const etag = (await api.get(path)).header('etag') ?? '';
    expect((await api.get(path, { 'if-none-match': etag })).status).toBe(304);
    (await api.patch(path, { subject: 'New' }, { 'if-match': etag })).expect(200);
    expect((await api.get(path, { 'if-none-match': etag })).status).toBe(200);
  });
});
