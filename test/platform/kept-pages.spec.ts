import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import type { Answer, Fields } from '../support/api';
import { useOwnApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useOwnApp();
const sql = useSql();

/** The texts of what is sent to PostgreSQL by one request for a list; jobs, which may be at work meanwhile, read single records. */
async function statementsOf({ api }: TestWorkspace, path: string): Promise<string[]> {
  const sent = jest.spyOn(server.app.get(Database), 'rawRead');
  (await api.get(path)).expect(200);
  const texts = sent.mock.calls.map(([{ text }]) => text).filter((text) => text.includes('string_agg'));
  sent.mockRestore();
  return texts;
}

/** The list as it is after so many requests; each answers the same. */
async function repeated({ api }: TestWorkspace, path: string): Promise<Answer> {
  const first = (await api.get(path)).expect(200);
  for (let again = 0; again < 3; again++) {
    const answer = (await api.get(path)).expect(200);
    expect([answer.text, answer.header('etag')]).toEqual([first.text, first.header('etag')]);
  }
  return first;
}

const isText = (statement: string): boolean => statement.includes('row_to_json');

describe('a page that is asked for again and again', () => {
  it('is not read anew while it is what it was', async () => {
    const workspace = await makeWorkspace(server);
    for (let serial = 0; serial < 3; serial++) await makeTicket(workspace.api, { subject: `Überall "${serial}"` });
    const reads: boolean[][] = [];
    for (let time = 0; time < 4; time++) reads.push((await statementsOf(workspace, '/tickets')).map(isText));
    await makeTicket(workspace.api, { subject: 'One more' });
    for (let time = 0; time < 2; time++) reads.push((await statementsOf(workspace, '/tickets')).map(isText));
    expect(reads).toEqual([[true], [true], [false], [false], [false, true], [false]]);
    // What changes before anybody asks again is not kept at once.
    const changed: boolean[][] = [];
    for (let time = 0; time < 3; time++) {
      await sql.rows(`UPDATE tickets SET subject = subject || '.' WHERE workspace_id = $1`, [workspace.id]);
      changed.push((await statementsOf(workspace, '/tickets')).map(isText));
    }
    expect(changed).toEqual([[false, true], [false, true], [true]]);
  });

  it('shows other records as they are, which are nothing that is kept', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const company = await make(api, '/companies', { name: 'Before' });
    await makeTicket(api, { company_id: company.id });
    const path = '/tickets?expand=company';
    await repeated(workspace, path);
    (await api.patch(`/companies/${company.id}`, { name: 'Behind' })).expect(200);
    const [ticket] = (await api.get(path)).expect(200).rows;
    expect(ticket?.company).toMatchObject({ name: 'Behind' });
  });

  it('is what its records are, whoever changes them and how', async () => {
    const workspace = await makeWorkspace(server);
    const other = await makeWorkspace(server);
    const { api } = workspace;
    const all = (): Promise<{ id: number }[]> =>
      sql.rows<{ id: number }>('SELECT id FROM tickets WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC', [
        workspace.id,
      ]);
    // What is shown with a relation is never kept.
    const truth = async (id: number): Promise<Fields> => {
      const { company: _relation, ...record } = (await api.get(`/tickets/${id}?expand=company`)).expect(200).data;
      return record;
    };
    const changes = {
      create: () => api.post('/tickets', { subject: 'new' }),
      elsewhere: () => other.api.post('/tickets', { subject: 'of others' }),
      patch: async (nth: number) => {
        const rows = await all();
        await api.patch(`/tickets/${rows[nth % rows.length]?.id ?? 0}`, { subject: `changed ${Math.random()}` });
      },
      remove: async (nth: number) => {
        const rows = await all();
        await api.delete(`/tickets/${rows[nth % rows.length]?.id ?? 0}`);
      },
      // As another process or a job does that leaves the version alone.
      unversioned: (nth: number) =>
        sql.rows(
          `UPDATE tickets SET tags = 't' || $2::text WHERE workspace_id = $1 AND id % 2 = ($2::text)::integer % 2`,
          [workspace.id, nth],
        ),
      // Another order of the same records.
      reorder: () =>
        sql.rows(
          `UPDATE tickets SET created_at = created_at - interval '1 day' WHERE id = (SELECT max(id) FROM tickets WHERE workspace_id = $1)`,
          [workspace.id],
        ),
      rolledBack: () =>
        sql.rows(
          `DO $$ BEGIN UPDATE tickets SET subject = 'never' WHERE workspace_id = ${workspace.id}; RAISE EXCEPTION 'x'; EXCEPTION WHEN raise_exception THEN NULL; END $$`,
        ),
    };
    type Kind = keyof typeof changes;
    const step = fc.record({ kind: fc.constantFrom(...(Object.keys(changes) as Kind[])), nth: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { kind, nth } of steps) {
          await changes[kind](nth);
          // Should a job write in between: what was stale would stay so.
          for (let attempt = 1; ; attempt++) {
            const { rows, meta } = await repeated(workspace, '/tickets');
            const records: Fields[] = [];
            for (const { id } of await all()) records.push(await truth(id));
            if (attempt < 4 && JSON.stringify(rows) !== JSON.stringify(records)) continue;
            expect([rows, meta.total]).toEqual([records, records.length]);
            const few = await repeated(workspace, '/tickets?status=open&fields=id,subject&per_page=2');
            expect(few.meta.total).toBe(records.length);
            expect(few.rows).toEqual(records.slice(0, 2).map(({ id, subject }) => ({ id, subject })));
            break;
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  it('shows what time and other records make of a row that nobody writes', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const company = await make(api, '/companies', { name: 'Acme' });
    const ticket = await makeTicket(api, { company_id: company.id });
    expect((await repeated(workspace, '/companies')).rows).toMatchObject([{ open_ticket_count: 1 }]);
    await makeTicket(api, { company_id: company.id });
    expect((await repeated(workspace, '/companies')).rows).toMatchObject([{ open_ticket_count: 2 }]);
    await sql.rows(
      `UPDATE tickets SET sla_status = 'on_track', sla_at_risk_at = now() + interval '1 second', next_sla_due_at = now() + interval '1 hour' WHERE id = $1`,
      [ticket.id],
    );
    await until('the ticket is at risk', async () => {
      const { rows } = await api.get('/tickets?fields=id,sla_status');
      return rows.some(({ id, sla_status: status }) => id === ticket.id && status === 'at_risk');
    });
  });

  it('tells clients that have it so, and others the same, with whatever links they asked for', async () => {
    const workspace = await makeWorkspace(server);
    for (let serial = 0; serial < 3; serial++) await makeTicket(workspace.api);
    const etag = (await repeated(workspace, '/tickets?per_page=2')).header('etag') ?? '';
    expect((await workspace.api.get('/tickets?per_page=2', { 'if-none-match': etag })).status).toBe(304);
    // The same statement, other links.
    const other = await repeated(workspace, '/tickets?limit=2');
    expect(other.body.links?.next).toContain('limit=2');
    expect(other.header('etag')).not.toBe(etag);
    await makeTicket(workspace.api);
    expect((await workspace.api.get('/tickets?per_page=2', { 'if-none-match': etag })).status).toBe(200);
  });

  it('is read anew where it is too long to be kept, and where connections were lost meanwhile', async () => {
    const workspace = await makeWorkspace(server);
    const database = server.app.get(Database);
    await repeated(workspace, '/tickets');
    expect((await statementsOf(workspace, '/tickets')).map(isText)).toEqual([false]);
    const losses = database.losses();
    const actor = { type: 'system', id: null, name: 'test' } as const;
    await database.inWorkspace(workspace.id, actor, async () => {
      const lanes = await Promise.all(
        Array.from({ length: 30 }, () => database.rawRead({ text: 'SELECT pg_backend_pid()', quick: true })),
      );
      const pids = [...new Set(lanes.map(([row]) => Number(row?.[0])))];
      // Returns once they are gone: none may be lent out again that nobody has noticed yet.
      await sql.rows('SELECT pg_terminate_backend(pid, 30000) FROM unnest($1::integer[]) AS pid', [pids]);
    });
    await until('lanes have ended', () => database.losses() > losses);
    expect((await statementsOf(workspace, '/tickets')).map(isText)).toEqual([true]);
    const description = 'It does not print. '.repeat(1_000);
    for (let serial = 0; serial < 16; serial++) await makeTicket(workspace.api, { description });
    await repeated(workspace, '/tickets');
    expect((await statementsOf(workspace, '/tickets')).map(isText)).toEqual([true]);
  });
});
