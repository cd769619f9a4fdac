import { JobSteps } from '../../src/areas/migration/run/job-steps';
import { ApiError } from '../../src/platform/errors/api-error';
import { makeUser } from '../support/cast';
import { rowsOf } from '../support/counted-rows';
import { migratedRows, turn, useMigrationApp } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
afterEach(() => jest.restoreAllMocks());

/** Two pages of each kind. */
const N = 205;
const list = (make: (n: number) => object): object[] => Array.from({ length: N }, (_, n) => make(n));
const at = (n: number): string => new Date(1_550_000_000_000 + n * 3_600_000).toISOString();

const ROWS = {
  companies: [{ id: 1, name: 'Acme' }],
  contacts: list((n) => ({
    id: n,
    email: `p${n}@old.example`,
    name: `Person ${n}`,
    company: 'acme',
    created_at: at(n),
  })),
  tickets: list((n) => ({ id: n, subject: `Subject ${n}`, requester: `q${n % 7}@old.example`, created_at: at(n) })),
  kb_articles: list((n) => ({
    ...{
      id: n,
      title: `How to ${n % 50}`,
      body: `Turn the lever${'abcdefghij'[n % 10]}.`,
      slug: n % 3 === 0 ? 'taken' : `s-${n}`,
    },
    ...{
      status: n % 2 === 0 ? 'published' : 'draft',
      ...(n % 40 === 7 ? { translation_of: n - 7, language: 'de' } : {}),
      created_at: at(n),
    },
  })),
  assets: list((n) => ({
    ...{ id: n, name: `Thing ${n}`, ...(n % 5 === 0 ? {} : { parent: n - (n % 5) }), contact: n % 3 === 0 ? n : null },
    ...{ serial: `S-${n}`, category: n === 99 ? 'spaceship' : 'laptop', created_at: at(n) },
  })),
  leads: list((n) => ({
    id: n,
    name: `Lead ${n}`,
    email: `p${n}@old.example`,
    status: n % 2 ? 'converted' : 'lost',
    created_at: at(n),
  })),
  deals: list((n) => ({
    ...{ id: n, title: `Deal ${n}`, stage: ['Demo', 'Closed won', 'verloren', 'Proposal'][n % 4], amount: n, lead: n },
    ...{ contact: n, company: 1, owner: 'eve@here.example', created_at: at(n), updated_at: at(n + 9) },
  })),
};

/** What people see of it, without ids and numbers of this desk. */
const RECORDS = `
  SELECT line FROM (
    SELECT concat_ws('|', 'c', c.external_id, c.email, c.name, o.name, c.created_at, c.version) AS line
    FROM contacts c LEFT JOIN companies o ON o.workspace_id = c.workspace_id AND o.id = c.company_id WHERE c.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 't', external_id, subject, requester_email, created_at, version) FROM tickets WHERE workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'k', a.external_id, a.title, a.slug, a.status, a.version_number, a.created_at, o.external_id, v.number, v.body, x.search_text)
    FROM kb_articles a JOIN kb_article_versions v ON v.workspace_id = a.workspace_id AND v.article_id = a.id
      JOIN kb_article_texts x ON x.workspace_id = a.workspace_id AND x.article_id = a.id
      LEFT JOIN kb_articles o ON o.workspace_id = a.workspace_id AND o.id = a.translation_of_id WHERE a.workspace_id = $1 AND a.external_id IS NOT NULL
    UNION ALL SELECT concat_ws('|', 'w', word) FROM kb_words WHERE workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'a', a.external_id, a.name, a.serial_number, a.status, p.external_id, c.email, a.created_at, h.action, h.created_at)
    FROM assets a JOIN asset_history h ON h.workspace_id = a.workspace_id AND h.asset_id = a.id
      LEFT JOIN assets p ON p.workspace_id = a.workspace_id AND p.id = a.parent_id
      LEFT JOIN contacts c ON c.workspace_id = a.workspace_id AND c.id = a.assigned_contact_id WHERE a.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'l', l.external_id, l.name, l.status, l.lost_reason, d.external_id, l.created_at, l.version)
    FROM leads l LEFT JOIN deals d ON d.workspace_id = l.workspace_id AND d.id = l.converted_deal_id WHERE l.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'd', d.external_id, d.title, d.value, d.status, s.name, d.position, d.won_at, d.lost_at, c.email, u.email, h.to_stage_name, h.created_at)
    FROM deals d JOIN stages s ON s.workspace_id = d.workspace_id AND s.id = d.stage_id
      JOIN deal_stage_changes h ON h.workspace_id = d.workspace_id AND h.deal_id = d.id
      LEFT JOIN contacts c ON c.workspace_id = d.workspace_id AND c.id = d.contact_id
      LEFT JOIN users u ON u.workspace_id = d.workspace_id AND u.id = d.owner_id WHERE d.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'r', entity, external_id, status, line, error, warnings, attempts) FROM migration_records WHERE workspace_id = $1) x`;

const linesOf = async ({ id }: TestWorkspace): Promise<string[]> =>
  (await sql.rows<{ line: string }>(`${RECORDS} ORDER BY line`, [id])).map(({ line }) => line);

/** Two workers are at it, and every other one dies at the end of its page, when all of that is written. @returns how often */
async function withDeaths(workspace: TestWorkspace, id: number): Promise<number> {
  const steps = server.app.get(JobSteps);
  const note = steps.note.bind(steps);
  let calls = 0;
  const spy = jest.spyOn(steps, 'note').mockImplementation(async (...given) => {
    await note(...given);
    if (++calls % 2 === 1) throw new ApiError('service_unavailable', 'The node dies.');
  });
  let deaths = 0;
  for (let goesOn = true; goesOn;) {
    const both = await Promise.allSettled([turn(server, workspace, id), turn(server, workspace, id)]);
    deaths += both.filter(({ status }) => status === 'rejected').length;
    const { status } = (await workspace.api.get(`/migration/jobs/${id}`)).data;
    goesOn = ['validating', 'running', 'rolling_back'].includes(String(status));
  }
  spy.mockRestore();
  return deaths;
}

it('has exactly the same records of every kind, whoever dies at whichever page, and takes them back likewise', async () => {
  const [quiet, killed] = [await makeWorkspace(server), await makeWorkspace(server)];
  for (const { api } of [quiet, killed]) {
    await makeUser(api, { email: 'eve@here.example', name: 'Eve' });
    (await api.post('/kb/articles', { title: 'Here', body: 'x', slug: 'taken' })).expect(201);
  }
  const before = await rowsOf(sql, killed);
  const undisturbed = await migratedRows(server, quiet, ROWS);
  const { api } = killed;
  const { id } = (await api.post('/migration/jobs', { source: 'json', mode: 'import', rows: ROWS })).expect(201).data;
  (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
  await withDeaths(killed, id);
  (await api.post(`/migration/jobs/${id}/start`)).expect(200);
  expect(await withDeaths(killed, id)).toBeGreaterThanOrEqual(10);
  const done = (await api.get(`/migration/jobs/${id}`)).data;
  expect(done).toMatchObject({ status: 'completed_with_errors', progress: undisturbed.progress });
  // Of the things, one is of a kind that nobody knows.
  expect(done.progress).toMatchObject({ created: 6 * N, failed: 1, skipped: 0 });
  const [one, other] = [await linesOf(quiet), await linesOf(killed)];
  expect(one.length).toBeGreaterThan(10 * N);
  expect(other.filter((line) => !one.includes(line)).slice(0, 9)).toEqual([]);
  expect(other).toEqual(one);
  expect(await rowsOf(sql, killed)).toEqual(await rowsOf(sql, quiet));

  (await api.post(`/migration/jobs/${id}/rollback`)).expect(200);
  expect(await withDeaths(killed, id)).toBeGreaterThanOrEqual(10);
  expect((await api.get(`/migration/jobs/${id}`)).data).toMatchObject({ status: 'rolled_back', last_error: null });
  expect(await rowsOf(sql, killed)).toEqual(before);
});
