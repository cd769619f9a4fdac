import fc from 'fast-check';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '../../src/areas/tickets/ticket-values';
import { Database } from '../../src/platform/database/database';
import { CounterFolder } from '../../src/platform/counters/counter-folder';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const subjects = async (query: string): Promise<unknown[]> =>
  (await workspace.api.get(`/tickets?${query}`)).expect(200).rows.map(({ subject }) => subject);

describe('sorting tickets', () => {
  it('goes by rank for status and priority', async () => {
    for (const status of ['closed', 'on_hold', 'open', 'resolved', 'in_progress'])
      await makeTicket(workspace.api, { subject: status, status });
    expect(await subjects('sort=status')).toEqual([...TICKET_STATUSES]);
    expect(await subjects('sort=-status')).toEqual([...TICKET_STATUSES].reverse());
    const other = await makeWorkspace(server);
    for (const priority of ['urgent', 'low', 'high', 'medium'])
      await makeTicket(other.api, { subject: priority, priority });
    const rows = async (sort: string): Promise<unknown[]> =>
      (await other.api.get(`/tickets?sort=${sort}`)).rows.map((row) => row.subject);
    expect(await rows('priority')).toEqual([...TICKET_PRIORITIES]);
    expect(await rows('-priority')).toEqual([...TICKET_PRIORITIES].reverse());
  });

  it('puts what has no value last, up and down, across pages', async () => {
    for (const [subject, status] of [
      ['a', 'resolved'],
      ['b', 'open'],
      ['c', 'resolved'],
      ['d', 'open'],
      ['e', 'resolved'],
    ]) {
      await makeTicket(workspace.api, { subject, status });
    }
    const walk = async (sort: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let next: string | null = `/tickets?sort=${sort}&per_page=2`; next;) {
        const answer = (await workspace.api.get(next)).expect(200);
        seen.push(...answer.rows.map(({ subject }) => subject));
        next = answer.body.links?.next ?? null;
      }
      return seen;
    };
    expect(await walk('resolved_at')).toEqual(['a', 'c', 'e', 'b', 'd']);
    expect(await walk('-resolved_at')).toEqual(['e', 'c', 'a', 'd', 'b']);
  });
});

describe('pages far down', () => {
  it('show the same by offset, from either end, and by link', async () => {
    await sql.rows(
      `INSERT INTO tickets (workspace_id, number, code, subject, priority, created_at, resolved_at)
       SELECT $1, n, 'TCK-' || n, 's' || n, (ARRAY['low', 'high'])[1 + n % 2], now() - (n / 3) * interval '1 minute',
         CASE WHEN n % 5 < 2 THEN now() - (n % 700) * interval '1 minute' END FROM generate_series(1, 3600) n`,
      [workspace.id],
    );
    const all = await sql.rows<{ id: number }>(
      `SELECT id FROM tickets WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
      [workspace.id],
    );
    const high = await sql.rows<{ id: number }>(
      `SELECT id FROM tickets WHERE workspace_id = $1 AND priority = 'high' ORDER BY created_at DESC, id DESC`,
      [workspace.id],
    );
    const rare = await sql.rows<{ id: number }>(
      `SELECT id FROM tickets WHERE workspace_id = $1 AND priority = 'high' AND subject LIKE 's35%' ORDER BY created_at DESC, id DESC`,
      [workspace.id],
    );
    const resolved = (order: string, priorities = ['high']): Promise<{ id: number }[]> =>
      sql.rows(`SELECT id FROM tickets WHERE workspace_id = $1 AND priority = ANY($2) ORDER BY resolved_at ${order}`, [
        workspace.id,
        priorities,
      ]);
    for (const [query, expected] of [
      // 1,440 with a value, half of them high, and the others behind them.
      ['&sort=-resolved_at', await resolved('DESC NULLS LAST, id DESC', ['low', 'high'])],
      ['&sort=resolved_at', await resolved('NULLS LAST, id', ['low', 'high'])],
      ['&sort=-resolved_at&priority=high', await resolved('DESC NULLS LAST, id DESC')],
      ['&sort=resolved_at&priority=high&q=s', await resolved('NULLS LAST, id')],
      [
        '&sort=code',
        await sql.rows<{ id: number }>('SELECT id FROM tickets WHERE workspace_id = $1 ORDER BY number', [
          workspace.id,
        ]),
      ],
      // Filters that nobody counts: gathered, or gone through in order.
      ['&type=question&sort=resolved_at', await resolved('NULLS LAST, id', ['low', 'high'])],
      ['&type=question&priority=high', high],
      ['&updated_after=2000-01-01&csat_score=none', all],
      [
        '&has_parent=false&updated_after=2000-01-01&priority=high&sort=-resolved_at',
        await resolved('DESC NULLS LAST, id DESC'),
      ],
      ['&has_parent=false', all],
      ['', all],
      ['&priority=high', high],
      // So many that the list is gone through, and so few that they are gathered.
      ['&q=s', all],
      ['&q=s&priority=high', high],
      // Many words and many rows, few words, and both few and many.
      ['&q=s&status=open', all],
      ['&q=s35&priority=high', rare],
      ['&q=s35&status=open&priority=high,urgent', rare],
    ] as const) {
      for (const offset of [0, 715, 999, 1_000, 1_200, 1_240, 1_430, 2_000, 3_590, 3_599, 3_600, 9_999]) {
        const { rows, meta } = (await workspace.api.get(`/tickets?offset=${offset}&limit=15${query}`)).expect(200);
        expect([offset, rows.map(({ id }) => id)]).toEqual([
          offset,
          expected.slice(offset, offset + 15).map(({ id }) => id),
        ]);
        expect(meta.total).toBe(expected.length);
      }
      const deep = (await workspace.api.get(`/tickets?offset=1200&limit=15${query}`)).expect(200);
      for (const [link, start] of [
        ['next', 1_215],
        ['prev', 1_185],
      ] as const) {
        const url = deep.body.links?.[link];
        if (!url || expected.length <= start) continue;
        const rows = (await workspace.api.get(url)).expect(200).rows;
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(start, start + 15).map(({ id }) => id));
      }
    }
  });
});

describe('totals', () => {
  const fold = (): Promise<unknown> => {
    const { app } = server;
    return app.get(Database).system(() => app.get(CounterFolder).fold());
  };

  it('are exact for every combination of filters, whatever was written, before and after every fold', async () => {
    const users = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const value = {
      status: fc.constantFrom(...TICKET_STATUSES),
      priority: fc.constantFrom(...TICKET_PRIORITIES),
      assigned_to: fc.constantFrom(users[0]?.id ?? 0, users[1]?.id ?? 0, null),
      requester_email: fc.constantFrom('ada@people.example', null),
    };
    const command = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), body: fc.record(value) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('update' as const),
          pick: fc.nat(),
          body: fc.record(value, { requiredKeys: [] }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
    );
    const filters = [
      '',
      'status=open',
      'status=open,closed',
      'priority=high',
      'assigned_to=none',
      `assigned_to=${users[0]?.id},none`,
      'status=resolved&priority=low',
      `status=open&priority=medium,high&assigned_to=${users[1]?.id}`,
      'contact_id=none',
      'status=open&contact_id=none',
      'assigned_to=none&has_parent=false',
      'csat_score=none&contact_id=none',
      'has_parent=false&requester_email=none&updated_before=2100-01-01',
    ];
    const live: number[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 12 }), async (commands) => {
        for (const step of commands) {
          if (step.kind === 'fold') await fold();
          else if (step.kind === 'create') live.push((await makeTicket(workspace.api, step.body)).id);
          else if (live.length > 0) {
            const index = step.pick % live.length;
            const path = `/tickets/${live[index]}`;
            if (step.kind === 'delete') {
              (await workspace.api.delete(path)).expect(200);
              live.splice(index, 1);
            } else await workspace.api.patch(path, step.body); // some transitions are refused
          }
        }
        for (const filter of filters) {
          const { rows, meta } = (await workspace.api.get(`/tickets?per_page=100&fields=id&${filter}`)).expect(200);
          expect([filter, meta.total]).toEqual([filter, rows.length]);
        }
        expect((await workspace.api.get('/tickets')).meta.total).toBe(live.length);
      }),
      { numRuns: 6, endOnFailure: true },
    );
    let counted: { counter: number; rows: number; deltas: number } | undefined;
    // Another application may just be folding some of them.
    await until('everything is folded', async () => {
      await fold();
      [counted] = await sql.rows<{ counter: number; rows: number; deltas: number }>(
        `SELECT (SELECT n FROM resource_tallies WHERE workspace_id = $1 AND resource = 'tickets' AND d1 = '*' AND d2 = '*' AND d3 = '*') AS counter,
                (SELECT count(*) FROM tickets WHERE workspace_id = $1) AS rows,
                (SELECT count(*) FROM resource_tally_deltas WHERE workspace_id = $1) AS deltas`,
        [workspace.id],
      );
      return counted?.deltas === 0;
    });
    expect(counted).toEqual({ counter: live.length, rows: live.length, deltas: 0 });
  });

  it('stay exact while many write and others fold', async () => {
    const writers = Array.from({ length: 6 }, async (_, index) => {
      for (let round = 0; round < 5; round++) {
        const { id } = await makeTicket(workspace.api, { priority: index % 2 ? 'low' : 'high' });
        if (round % 2) await workspace.api.patch(`/tickets/${id}`, { status: 'closed' });
        if (round === 4) await workspace.api.delete(`/tickets/${id}`);
      }
    });
    const folders = Array.from({ length: 10 }, () => fold());
    await Promise.all([...writers, ...folders]);
    const count = async (query: string): Promise<unknown> => (await workspace.api.get(`/tickets?${query}`)).meta.total;
    expect([
      await count(''),
      await count('status=closed'),
      await count('priority=low'),
      await count('status=open&priority=high'),
    ]).toEqual([24, 12, 12, 6]);
  });

  it('belong to the moment of the page: a list never says less than it shows', async () => {
    const writing = (async () => {
      for (let index = 0; index < 30; index++) await makeTicket(workspace.api);
    })();
    const written = new AbortController();
    void writing.finally(() => {
      written.abort();
    });
    while (!written.signal.aborted) {
      const { rows, meta } = (await workspace.api.get('/tickets?per_page=100&fields=id')).expect(200);
      expect(meta.total).toBe(rows.length);
    }
    await writing;
  });
});

describe('a row written while pages are read', () => {
  it('shifts no page that is reached by link', async () => {
    const old: Fields[] = [];
    for (let index = 0; index < 6; index++) old.push(await makeTicket(workspace.api));
    const first = (await workspace.api.get('/tickets?per_page=3')).expect(200);
    await makeTicket(workspace.api, { subject: 'newer' });
    const second = (await workspace.api.get(first.body.links?.next ?? '')).expect(200);
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(old.map(({ id }) => id).reverse());
  });
});
