import { defineResource } from '../../../platform/resource/resource';
import { AssetHistoryEntry } from './asset-history.entity';

export const assetHistoryResource = defineResource(AssetHistoryEntry, {
  name: 'asset_history',
  singular: 'asset_history_entry',
  table: 'asset_history',
  sort: {},
  filter: ['action'],
  log: true,
});
