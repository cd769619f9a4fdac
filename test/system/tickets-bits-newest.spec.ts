import type { RawQuery } from '../../src/platform/resource/read/list-query';
import { bothWays } from '../support/both-ways';
import { type Folded, openFolded } from '../support/folded';

let folded: Folded;
beforeAll(async () => {
  folded = await openFolded(1);
});
afterAll(() => folded.close());

it('the newest of what bits find are the newest of all, whatever the order of dates, folded or not', async () => {
  const workspaceId = folded.workspace();
  // Fifteen chunks of two hundred tickets: some in the order of their dates, some against it, some of all times.
  await folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, description, created_at)
     SELECT $1, n * 40, 'TCK-' || n, CASE WHEN n % 40 = 0 THEN 'alpha' WHEN n % 35 = 1 THEN 'alphabet beta' ELSE 'note' END,
       CASE WHEN n % 11 = 0 THEN 'alphabet' ELSE 'alpha' || CASE WHEN n % 5 = 0 THEN ' ' ELSE ' gamma ' END || 'beta' END,
       '2026-01-01'::timestamptz + interval '1 minute' * CASE WHEN n = 100 THEN 5000 WHEN n % 500 = 7 THEN n * 7919 % 3000 WHEN n < 1500 THEN n ELSE 4500 - n END
     FROM generate_series(1, 3000) n`,
    [workspaceId],
  );
  await folded.made(workspaceId);
  const searches = [
    'alpha',
    'alph',
    'alphabet',
    'beta',
    'alpha beta',
    '"alpha beta"',
    'alpha-be',
    'gamma-beta',
    'beta gamma',
  ];
  const all: [RawQuery, condition: string] = [{ q: 'alph' }, 'true'];
  const lists: readonly [RawQuery, condition: string][] = [
    [{ q: 'alphabet' }, `subject || ' ' || description ~ 'alphabet'`],
    [{ q: 'alphabet', status: 'open,closed' }, `subject || ' ' || description ~ 'alphabet'`],
    [{ q: 'alph', status: 'closed' }, `status = 'closed'`],
    [{ q: 'alphabet beta', status: 'closed' }, `subject = 'alphabet beta' AND status = 'closed'`],
  ];
  const compare = async (...more: (typeof all)[]): Promise<void> => {
    for (const text of searches) {
      const [ours, theirs] = await bothWays(folded, workspaceId, text);
      expect([text, ours?.exact]).toEqual([text, true]);
      expect([text, { ...ours, exact: false }]).toEqual([text, theirs]);
    }
    for (const [query, condition] of [...more, ...lists]) {
      const rows = await folded.sql.rows<{ id: number }>(
        `SELECT id::integer FROM tickets WHERE workspace_id = $1 AND (subject || description) ~ 'alph' AND ${condition} ORDER BY created_at DESC, id DESC`,
        [workspaceId],
      );
      const newest = rows.map(({ id }) => id);
      for (const offset of [0, 1, 40, 300]) {
        const page = { ...query, sort: '-created_at', per_page: undefined, limit: '25', offset: String(offset) };
        const ids = newest.slice(offset, offset + 25);
        const asked = await folded.listed(workspaceId, page);
        expect([query, offset, asked]).toEqual([query, offset, { ids, total: newest.length }]);
      }
    }
  };
  await compare(all);
  await folded.sql.rows(`UPDATE tickets SET status = 'closed' WHERE workspace_id = $1 AND number / 40 % 7 = 0`, [
    workspaceId,
  ]);
  await compare(all);
  // No request moves a ticket in time: the order of words alone, which has a copy, is not asked for behind this.
  await folded.sql.rows(
    `UPDATE tickets SET subject = CASE WHEN number % 3 = 0 THEN 'alpha beta' ELSE 'nothing' END, created_at = created_at + interval '1 day' * (number / 40 % 5 - 2)
     WHERE workspace_id = $1 AND number / 40 % 60 = 0`,
    [workspaceId],
  );
  await compare();
  await folded.database.system(() => folded.step(workspaceId));
  await compare();
});
