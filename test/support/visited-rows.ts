import type { Client } from 'pg';
import type { Statement } from '../../src/platform/postgres/statement-batch';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows that all steps of a statement have looked at. */
export async function visitedRows(client: Client, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values as unknown[],
  );
  const sum = (node: PlanNode): number =>
    node['Actual Loops'] *
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
    (node.Plans ?? []).reduce((total, each) => total + sum(each), 0);
  return sum(rows[0]!['QUERY PLAN'][0]!.Plan);
}
