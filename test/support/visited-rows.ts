import { type Client, escapeLiteral } from 'pg';
import type { Statement } from '../../src/platform/postgres/statement-batch';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/**
 * Rows that all steps of a statement have looked at; planned as it will be, for its values or once for all.
 *
 * @param relations only rows of these tables
 */
export async function visitedRows(
  client: Client,
  { text, values = [], settled }: Statement,
  relations?: readonly string[],
): Promise<number> {
  const explain = async (what: string, bound: readonly unknown[]): Promise<number> => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${what}`,
      [...bound],
    );
    return sum(rows[0]!['QUERY PLAN'][0]!.Plan, relations);
  };
  if (!settled) return explain(text, values);
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE explained AS ${text}`);
  try {
    return await explain(`EXECUTE explained(${values.map(literal).join(', ')})`, []);
  } finally {
    await client.query('DEALLOCATE explained; RESET plan_cache_mode');
  }
}

function sum(node: PlanNode, relations?: readonly string[]): number {
  const isMeant = !relations || relations.includes(node['Relation Name'] ?? '');
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const below = (node.Plans ?? []).reduce((total, each) => total + sum(each, relations), 0);
  return below + (isMeant ? node['Actual Loops'] * rows : 0);
}

/** A value as SQL has it, of whatever type it is. */
function literal(value: unknown): string {
  const element = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  const text = Array.isArray(value) ? `{${value.map((each) => element(String(each))).join(',')}}` : String(value);
  return escapeLiteral(text);
}
