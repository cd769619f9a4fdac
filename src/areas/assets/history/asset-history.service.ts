import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/http/errors';
import type { ListResult } from '../../../platform/http/results';
import { sameValue } from '../../../platform/resource/column-spec';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { Values } from '../../../platform/resource/resource.service';
import { AssetHistoryEntry } from './asset-history.entity';
import type { HistoryAction } from '../asset-status';
import { assetResource } from '../asset.resource';

type Bind = (value: unknown) => string;

/** The history of an asset, newest first; also after its deletion. Nothing changes or removes an entry. */
@Injectable()
export class AssetHistory {
  constructor(
    @InjectReader(AssetHistoryEntry) private readonly records: Reader<AssetHistoryEntry>,
    private readonly database: Database,
  ) {}

  /** @throws 404 for an asset that never was */
  async of(assetId: number, params: ListParams): Promise<ListResult> {
    const page = await this.records.list(params, { asset_id: assetId });
    if (page.total === 0 && !(await this.knows(assetId))) fail('not_found', `No asset ${assetId}.`);
    return page;
  }

  /** Remembers the last state of an asset that goes. Inside the unit of work. */
  async rememberLast(asset: Values & { id: number }): Promise<void> {
    const state = Object.fromEntries(stored.map(({ name }) => [name, asset[name] ?? null]));
    const values: unknown[] = [currentWorkspaceId(), asset.id];
    const insert = entryInsert((value) => `$${values.push(value)}`, 'deleted', { from: state, to: {} }, null);
    await this.database.batch([{ text: `WITH t AS (SELECT $2::bigint AS id) ${insert}`, values }]);
  }

  private async knows(assetId: number): Promise<boolean> {
    const rows = await this.database.read({
      text: `SELECT 1 FROM asset_history WHERE workspace_id = $1 AND asset_id = $2 LIMIT 1`,
      values: [currentWorkspaceId(), assetId],
    });
    return rows.length > 0;
  }
}

const stored = assetResource.columns.filter(({ kind }) => kind !== 'computed');

/**
 * The entry of a change, written by the statement of the change.
 *
 * @param before null for a new asset
 */
export function remembering(
  before: Values | null,
  values: Values,
  action: HistoryAction,
  note: string | null = null,
): Alongside {
  const changed = stored.filter(
    (column) => values[column.name] !== undefined && !sameValue(column, before?.[column.name], values[column.name]),
  );
  const side = (record: Values | null): Values =>
    record === null ? {} : Object.fromEntries(changed.map(({ name }) => [name, record[name] ?? null]));
  const states = { from: side(before), to: side(values) };
  return (bind) => `remembered AS (${entryInsert(bind, action, states, note)})`;
}

function entryInsert(
  bind: Bind,
  action: HistoryAction,
  { from, to }: { from: Values; to: Values },
  note: string | null,
): string {
  const json = (value: object): string => `${bind(JSON.stringify(value))}::jsonb`;
  return (
    `INSERT INTO asset_history (workspace_id, asset_id, action, "from", "to", note, actor) ` +
    `SELECT $1, t.id, ${bind(action)}, ${json(from)}, ${json(to)}, ${bind(note)}::text, ${json(current().actor)} FROM t`
  );
}
