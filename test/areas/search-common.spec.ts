import { ticketWords } from '../../src/areas/tickets/ticket-words';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { Database } from '../../src/platform/database/database';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { forgetCommonWords } from '../../src/platform/search/bits/common-words';
import { FOLD_LIMITS, WordFolder } from '../../src/platform/search/bits/word-folder';
import { Workers } from '../../src/platform/workers/workers.service';
import { useScratchApp } from '../support/scratch-app';
import { found } from '../support/search';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// A database of its own: what another application of the run changes of these tickets, when their clocks come due, is not folded,
// and bits that do not answer for that let a phrase be dropped.
const { server, sql, owner } = useScratchApp();
let workspace: TestWorkspace;

// More than a word may match before the newest tickets are looked through first.
beforeAll(async () => {
  workspace = await makeWorkspace(server);
  await seedWorkspace({ ...owner, workspaceId: workspace.id, tickets: 2_600, comments: false });
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

it('learns a phrase of common words whose search took a look at many lines', async () => {
  const { api, id } = workspace;
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject)
     SELECT $1, n, 'TCK-' || n, CASE WHEN n % 2 = 0 THEN 'quick brown' ELSE 'brown quick' END FROM generate_series(10001, 11400) n`,
    [id],
  );
  // In a larger workspace the job does so by itself; the phrases are in a sixth of the tickets.
  const database = server.app.get(Database);
  const folder = new WordFolder(server.app.get(PeriodicJobs), database, server.app.get(Workers), () => [ticketWords]);
  const limits = { ...FOLD_LIMITS, smallest: 0, share: 0.2 };
  const learned = (): Promise<object[]> =>
    sql.rows('SELECT word FROM ticket_common_words WHERE workspace_id = $1 AND learned_at IS NOT NULL', [id]);
  const ready = 'SELECT FROM ticket_word_folds WHERE workspace_id = $1 AND ready';
  // In one unit of work: what is begun is gone on with by the job of the application, too.
  await database.system(async () => {
    while ((await database.query(ready, [id])).length === 0) await folder.step(ticketWords, id, limits);
  });
  forgetCommonWords(database, ticketWords, id);
  const total = async (): Promise<unknown> => (await found(api, 'quick-brown', '&types=tickets')).meta.totals;
  expect([await total(), await total()]).toEqual([{ tickets: 700 }, { tickets: 700 }]);
  // A phrase whose turn comes while bits do not answer is dropped until it is asked for again (`learning`).
  await until('the phrase is learned', async () => {
    expect(await total()).toEqual({ tickets: 700 });
    return (await learned()).length > 0;
  });
  expect(await learned()).toEqual([{ word: 'quick brown' }]);
  await sql.rows(`UPDATE tickets SET subject = 'quick' WHERE workspace_id = $1 AND number = 10002`, [id]);
  expect(await total()).toEqual({ tickets: 699 });
});
