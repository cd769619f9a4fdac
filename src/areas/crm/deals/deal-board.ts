import { MAX_DECIMAL } from '../../../platform/columns/columns';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { minorDigits, requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';

/** The place behind all deals of a stage. Inside the unit of work. */
export async function lastPosition(database: Database, stageId: number): Promise<number> {
  const [row] = await database.query<{ next: string }>(
    `SELECT floor(coalesce(max(position), 0)) + 1 AS next FROM deals WHERE workspace_id = $1 AND stage_id = $2`,
    [currentWorkspaceId(), stageId],
  );
  return Math.min(Number(row?.next ?? 1), MAX_DECIMAL);
}

/** What is added to the places of all deals of a stage, so that they come behind those of another one in their order. Inside the unit of work. */
export async function stepBehind(database: Database, stageId: number, otherId: number): Promise<number> {
  const [row] = await database.query<{ first: string }>(
    `SELECT floor(coalesce(min(position), 1)) AS first FROM deals WHERE workspace_id = $1 AND stage_id = $2`,
    [currentWorkspaceId(), stageId],
  );
  return (await lastPosition(database, otherId)) - Number(row?.first ?? 1);
}

/** Decimals of the currency; 422 when there is no such currency, or the value has more. */
export function digitsOf(currency: string, value: number): number {
  requireCurrency('currency', currency);
  requireWholeMinorUnits('value', value, currency);
  return minorDigits(currency);
}
