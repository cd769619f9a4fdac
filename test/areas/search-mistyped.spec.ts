import { isDeepStrictEqual } from 'node:util';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { found, idsOf } from '../support/search';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

describe('mistyped words', () => {
  it('are corrected at once, and from what was learned', async () => {
    const { id } = await makeTicket(workspace.api, { subject: 'Kaleidoscope broken', description: 'The glass of it' });
    const fresh = await found(workspace.api, 'kaliedoscope glass');
    expect(fresh.data.tickets?.map((hit) => hit.id)).toEqual([id]);
    expect(fresh.meta).toMatchObject({ corrected: { kaliedoscope: ['kaleidoscope'] }, totals: { tickets: 1 } });
    expect(fresh.data.tickets?.[0]?.snippet).toBe('The <mark>glass</mark> of it');
    await sql.rows(
      `INSERT INTO search_progress (workspace_id, source, learned_id, learned_at) VALUES ($1, 'tickets', 0, '-infinity')
       ON CONFLICT (workspace_id, source) DO UPDATE SET learned_at = excluded.learned_at`,
      [workspace.id],
    );
    await until('the word is learned', async () => {
      // A run takes so many sources; those of other tests may come first.
      await server.app.get(PeriodicJobs).runNow('search-words');
      const learned = await sql.rows(
        `SELECT word FROM search_words WHERE workspace_id = $1 AND word = 'kaleidoscope'`,
        [workspace.id],
      );
      return learned.length === 1;
    });
    // Far from the newest: only what was learned can tell.
    await sql.rows(`UPDATE ticket_texts SET search_text = search_text || ' ' WHERE workspace_id = $1`, [workspace.id]);
    expect(await idsOf(workspace.api, 'kaleidoskope', 'tickets')).toEqual([id]);
  });

  it('what has been learned from is not read again, what was written or changed since is', async () => {
    const other = await makeWorkspace(server);
    const { id } = (await other.api.post('/companies', { name: 'Kaleidoscope' })).expect(201).data;
    const isFound = async (word: string): Promise<boolean> =>
      (await idsOf(other.api, word, 'companies')).some((each) => each === id);
    const learned = (upTo: number, at: string): Promise<unknown> =>
      sql.rows(
        `INSERT INTO search_progress (workspace_id, source, learned_id, learned_at) VALUES ($1, 'companies', $2, $3)
         ON CONFLICT (workspace_id, source) DO UPDATE SET learned_id = excluded.learned_id, learned_at = excluded.learned_at`,
        [other.id, upTo, at],
      );
    await learned(1e15, '2100-01-01');
    expect(await isFound('kaliedoscope')).toBe(false);
    await learned(id - 1, '2100-01-01');
    expect(await isFound('kaliedoscope')).toBe(true);
    await learned(1e15, new Date().toISOString());
    (await other.api.patch(`/companies/${id}`, { name: 'Phonograph' })).expect(200);
    expect(await isFound('phonogarph')).toBe(true);
  });

  it('a few new records wait to be learned from, many do not', async () => {
    const other = await makeWorkspace(server);
    // As if all had been learned, until the records are there.
    await sql.rows(
      `INSERT INTO search_progress (workspace_id, source, learned_id, learned_at)
       SELECT $1, source, 1e15, now() + interval '1 hour' FROM unnest(ARRAY['companies', 'tickets']) source`,
      [other.id],
    );
    const few = (await other.api.post('/companies', { name: 'Northwind Foods' })).expect(201).data.id;
    const { id: many } = await makeTicket(other.api, { subject: 'Kaleidoscope' });
    await sql.rows(
      `UPDATE search_progress SET learned_id = CASE source WHEN 'companies' THEN $2::bigint - 1 ELSE $3::bigint - 101 END
       WHERE workspace_id = $1 AND source IN ('companies', 'tickets')`,
      [other.id, few, many],
    );
    const learned = async (): Promise<unknown[]> => {
      await server.app.get(PeriodicJobs).runNow('search-words');
      return sql.rows(
        `SELECT source, learned_id::int AS id FROM search_progress WHERE workspace_id = $1 AND source <> 'users' ORDER BY source`,
        [other.id],
      );
    };
    const wanted = [
      { source: 'companies', id: few - 1 },
      { source: 'tickets', id: many },
    ];
    await until('the source of many is learned from', async () => isDeepStrictEqual(await learned(), wanted));
    expect(await learned()).toEqual(wanted);
  });

  it.each([
    ['pritner', 'printer'],
    ['lpatop', 'laptop'],
    ['aelx', 'alex'],
    ['montior', 'monitor'],
    ['keybord', 'keyboard'],
    ['Nortwhind', 'northwind'],
  ])('%s stands for %s', async (typed, meant) => {
    const other = await makeWorkspace(server);
    await other.api.post('/companies', { name: 'Northwind Foods' });
    await other.api.post('/users', { name: 'Alex Costa', email: 'costa@people.example' });
    await makeTicket(other.api, { subject: 'Printer, laptop, monitor, keyboard' });
    const { data, meta } = await found(other.api, typed);
    expect(meta.corrected).toEqual({ [typed.toLowerCase()]: [meant] });
    expect(Object.values(data).flat()).toHaveLength(1);
  });

  it('are not corrected when a record has them, nor when they are numbers or short', async () => {
    await makeTicket(workspace.api, { subject: 'Pritners of the past' });
    await makeTicket(workspace.api, { subject: 'Printers of today 123456 abd' });
    for (const text of ['pritner', '123457', 'abe'])
      expect((await found(workspace.api, text)).meta.corrected).toBeUndefined();
  });
});
