import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { fail } from '../../../platform/errors/api-error';
import type { ListResult } from '../../../platform/http/results';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { Row, Values } from '../../../platform/resource/rows';
import { changesOf, differing } from '../../../platform/resource/stored-values';
import { AssetHistoryEntry } from './asset-history.entity';
import { entryInsert, type Sides } from './entry-insert';
import type { HistoryAction } from '../asset-status';
import type { Asset } from '../asset.entity';
import { assetResource } from '../asset.resource';

/** The history of an asset, newest first; also after its deletion. Nothing changes an entry, and none goes but with a migration that is taken back. */
@Injectable()
export class AssetHistory {
  constructor(
    @InjectReader(AssetHistoryEntry) private readonly records: Reader<AssetHistoryEntry>,
    @InjectWorkspaceRepository(AssetHistoryEntry) private readonly entries: WorkspaceRepository<AssetHistoryEntry>,
    private readonly database: Database,
  ) {}

  /** @throws 404 for an asset that never was */
  async of(assetId: number, params: ListParams): Promise<ListResult> {
    const page = await this.records.list(params, { asset_id: assetId });
    if (page.total === 0 && !(await this.entries.existsBy({ asset_id: assetId })))
      fail('not_found', `No asset ${assetId}.`);
    return page;
  }

  /** Remembers the last state of an asset that goes. Inside the unit of work. */
  async rememberLast(asset: Row<Asset>): Promise<void> {
    const values: unknown[] = [currentWorkspaceId(), asset.id];
    const insert = entryInsert(
      (value) => `$${values.push(value)}`,
      'deleted',
      { from: sidesOf(null, asset).to, to: {} },
      null,
    );
    await this.database.run([{ text: `WITH t AS (SELECT $2::bigint AS id) ${insert}`, values }]);
  }
}

/** Takes the entries of assets away that came in with a migration and were taken back: they never were. Inside the unit of work. */
export async function forget(database: Database, assets: readonly number[]): Promise<void> {
  if (assets.length === 0) return;
  await database.query('DELETE FROM asset_history WHERE workspace_id = $1 AND asset_id = ANY($2::bigint[])', [
    currentWorkspaceId(),
    assets,
  ]);
}

/**
 * The entry of a change, written by the statement of the change.
 *
 * @param before null for a new asset
 */
export function remembering(
  before: Row<Asset> | null,
  values: Values<Asset>,
  action: HistoryAction,
  note: string | null = null,
): Alongside {
  const sides = sidesOf(before, differing(assetResource, before, values));
  // An asset of another system began when it did there.
  const at = before === null ? 't.created_at' : 'now()';
  return (bind) => `remembered AS (${entryInsert(bind, action, sides, note, at)})`;
}

function sidesOf(before: Row<Asset> | null, values: Values<Asset>): Sides {
  const sides: Sides = { from: {}, to: {} };
  for (const [name, { from, to }] of Object.entries(changesOf(assetResource, before, values))) {
    if (before !== null) sides.from[name] = from;
    sides.to[name] = to;
  }
  return sides;
}
