import { useApp } from '../support/app';
import { type Belongings, CANARY, furnish } from '../support/belongings';
import { slotKinds } from '../support/isolation';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { useSql } from '../support/sql';
import { CSV, linesOf } from '../support/tables';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let own: TestWorkspace;
let mine: Belongings;
let lists: Operation[];
beforeAll(async () => {
  own = await makeWorkspace(server);
  const other = await makeWorkspace(server);
  mine = await furnish(own.api, sql, 'mine');
  await furnish(other.api, sql, CANARY);
  const isList = ({ path, query }: Operation): boolean => query.includes('page') || path.endsWith('/similar');
  lists = (await allOperations()).filter((operation) => operation.method === 'GET' && isList(operation));
});

it('every list answers CSV of its own records, and of nobody else', async () => {
  expect(lists.length).toBeGreaterThan(35);
  const problems: unknown[] = [];
  for (const { path } of lists) {
    const asked = fillPath(
      path,
      slotKinds(path).map((kind) => mine[kind] ?? 0),
    );
    const [json, csv] = [await own.api.get(asked), await own.api.get(asked, { accept: CSV })];
    const [names = [], ...lines] = json.status === 200 ? linesOf(csv.text) : [];
    const widths = [...new Set(lines.map((line) => line.length))].filter((width) => width !== names.length);
    // Events and their like grow while we look.
    const isWhole = lines.length >= Number(json.meta.total);
    const members = Object.keys(json.rows[0] ?? {});
    const hasAll = members.every((name) => names.includes(name));
    if (
      json.status !== 200 ||
      csv.status !== 200 ||
      widths.length > 0 ||
      !isWhole ||
      !hasAll ||
      csv.text.includes(CANARY)
    )
      problems.push([path, json.status, csv.status, widths, lines.length, json.meta.total]);
  }
  expect(problems).toEqual([]);
});
