import { companySearch } from '../../src/areas/companies/company-search';
import { groupStatement } from '../../src/areas/search/group-statement';
import { termsOf } from '../../src/platform/search/terms';
import { SCRATCH_WORKSPACE, useScratchWorkspace } from '../support/scratch-workspace';
import { visitedRows } from '../support/visited-rows';

const COMPANIES = 5_000;

const scratch = useScratchWorkspace([
  `INSERT INTO companies (workspace_id, name, created_at)
     SELECT ${SCRATCH_WORKSPACE}, (ARRAY['North', 'South'])[1 + n % 2] || ' Works ' || n, now() - n * interval '1 minute' FROM generate_series(1, ${COMPANIES}) n
     UNION ALL SELECT ${SCRATCH_WORKSPACE}, 'NORTH', now() - interval '1 year' UNION ALL SELECT ${SCRATCH_WORKSPACE}, '+++', now() - interval '1 year'`,
  'VACUUM (ANALYZE) companies',
]);

const statementOf = (text: string): ReturnType<typeof groupStatement> =>
  groupStatement(companySearch, text, termsOf(text), SCRATCH_WORKSPACE, new Set());

it.each([
  ['zzqx', 0],
  ['works 77', 11],
])('a search goes through no company that has nothing of it: %s', async (text, total) => {
  const { text: sql, values = [] } = statementOf(text);
  const { rows } = await scratch.client.query<{ total: string }>(sql, [...values]);
  expect(Number(rows[0]?.total)).toBe(total);
  expect(await visitedRows(scratch.client, { text: sql, values })).toBeLessThan(COMPANIES / 5);
});

it.each([
  ['North', 1 + COMPANIES / 2, 'NORTH'],
  ['+++', 1, '+++'],
])('who has that very name is counted once, and is the first: %s', async (text, total, name) => {
  const { text: sql, values = [] } = statementOf(text);
  const { rows } = await scratch.client.query<{ total: string; hits: { title: string }[] }>(sql, [...values]);
  expect(Number(rows[0]?.total)).toBe(total);
  expect(rows[0]?.hits[0]?.title).toBe(name);
});
