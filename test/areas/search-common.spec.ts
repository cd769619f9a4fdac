import { seedWorkspace } from '../../src/cli/seed/workspace';
import { useApp } from '../support/app';
import { found } from '../support/search';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({ role: 'api' });
const sql = useSql();
let workspace: TestWorkspace;

// More than a word may match before the newest tickets are looked through first.
beforeAll(async () => {
  workspace = await makeWorkspace(server);
  const { migrateDatabaseUrl: databaseUrl } = testServices();
  await seedWorkspace({ databaseUrl, workspaceId: workspace.id, tickets: 2_600, comments: false });
});

/** The answer to one word, worked out ticket by ticket. */
async function expected(word: string): Promise<{ ids: number[]; total: number }> {
  const rows = await sql.rows<{ id: number; total: number }>(
    `SELECT id, count(*) OVER () AS total FROM (
       SELECT id, created_at, lower(subject) AS title, lower(concat_ws(' ', subject, code, description)) AS text
       FROM tickets WHERE workspace_id = $1) t
     WHERE text ~ ('\\m' || $2)
     ORDER BY CASE WHEN title ~ ('\\m' || $2 || '\\M') THEN 1 WHEN title ~ ('\\m' || $2) THEN 2 WHEN text ~ ('\\m' || $2 || '\\M') THEN 3 ELSE 4 END,
       created_at DESC, id DESC LIMIT 20`,
    [workspace.id, word],
  );
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

it.each(['my', 'the', 'is', 'laptop', 'lap', 'pr', 'afternoon', 'thank', 'migration', 'tck'])(
  'finds the best of the tickets with "%s", and counts all',
  async (word) => {
    const { ids, total } = await expected(word);
    const { data, meta } = await found(workspace.api, word, '&limit=20&types=tickets');
    expect([data.tickets?.map(({ id }) => id), meta.totals]).toEqual([ids, { tickets: total }]);
    expect(total).toBeGreaterThan(20);
  },
);

it('looks through the newest first only where words are that common', async () => {
  expect((await expected('my')).total).toBeGreaterThan(2_000);
  expect((await expected('afternoon')).total).toBeLessThan(2_000);
});
