import { DuplicatesAreNamed1768990000000 } from '../../migrations/1768990000000-duplicates-are-named';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const TEXT = 'The label printer on the third floor jams whenever the paper tray is filled to the upper mark again.';

it('what was predicted before has the code alone, and so have its events', async () => {
  const { api, id: workspaceId } = await makeWorkspace(server);
  const words = { description: `${TEXT} ${TEXT}` };
  for (const place of ['zanzibar', 'madagascar']) await makeTicket(api, { ...words, subject: `Printer of ${place}` });
  const seen = await makeTicket(api, { ...words, subject: 'Printer' });
  (await api.post('/ai-engine/predict', { ticket_id: seen.id, tasks: ['duplicate', 'language'] })).expect(200);
  const kept = async (): Promise<string> => {
    const predictions = await sql.rows('SELECT * FROM ai_predictions WHERE workspace_id = $1 ORDER BY id', [
      workspaceId,
    ]);
    const events = await sql.rows('SELECT * FROM events WHERE workspace_id = $1 ORDER BY id', [workspaceId]);
    return JSON.stringify([predictions, events.filter(({ type }) => /predict/.test(type as string))]);
  };
  const now = await kept();
  expect(now.match(/"label":"TCK-\d+"/g)?.length).toBeGreaterThanOrEqual(5);

  // As they were written before.
  const was = (column: string): string =>
    `regexp_replace(${column}::text, '("label": ?"TCK-\\d+)"', '\\1 Printer of zanzibar"', 'g')`;
  const own = 'workspace_id = $1';
  await sql.rows(
    `UPDATE ai_predictions SET label = label || ' Printer of zanzibar', alternatives = ${was('alternatives')}::jsonb
     WHERE ${own} AND task = 'duplicate'`,
    [workspaceId],
  );
  await sql.rows(`UPDATE events SET data = ${was('data')}::json WHERE ${own} AND object = 'ai_prediction'`, [
    workspaceId,
  ]);
  await sql.rows(`UPDATE events SET related = ${was('related')}::json WHERE ${own} AND type = 'ticket.predicted'`, [
    workspaceId,
  ]);
  expect((await kept()).match(/zanzibar/g)?.length).toBeGreaterThanOrEqual(5);

  // Others that use the database meanwhile keep what they have.
  const query = (text: string): Promise<object[]> =>
    Promise.all(
      text
        .split(';')
        .filter((statement) => /UPDATE/.test(statement))
        .map((statement) =>
          sql.rows(statement.replace(/WHERE (?=(task|object|type) =)/, `$&workspace_id = ${workspaceId} AND `)),
        ),
    );
  await new DuplicatesAreNamed1768990000000().up({ query } as never);
  expect(await kept()).toEqual(now);
});
