import { NumberAssetsAndQuotes1763800000000 } from '../../../migrations/1763800000000-number-assets-and-quotes';
import { CreateAssets1763800200000 } from '../../../migrations/1763800200000-create-assets';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { assetResource } from './asset.resource';
import { AssetsModule } from './assets.module';
import { assetHistoryResource } from './history/asset-history.resource';
import { assetsPersonal } from './assets.personal';

/** Things that tickets concern: who holds them, and what happened to them. */
export const assetsArea = defineArea({
  name: 'assets',
  module: AssetsModule,
  resources: [assetResource, assetHistoryResource],
  migrations: [NumberAssetsAndQuotes1763800000000, CreateAssets1763800200000],
  permissions: usualPermissions('assets', 'assets', {
    read: 'light_agent',
    create: 'agent',
    update: 'agent',
    delete: 'supervisor',
  }),
  personal: assetsPersonal,
  events: {
    domain: 'asset',
    label: 'Assets',
    events: {
      ...changesOf('asset', 'An asset'),
      'asset.assigned': 'An asset was given to somebody.',
      'asset.unassigned': 'An asset came back.',
      'asset.audited': 'An asset was seen and checked.',
      'asset.retired': 'An asset was retired, lost or disposed of.',
      'asset.warranty_expiring': 'The warranty of an asset ends within 30 days.',
    },
    beside: { 'asset.warranty_expiring': { warranty: { expires_at: '2026-11-19', days_left: 30 } } },
  },
  stats: [{ resource: assetResource, place: 50, example: 90 }],
  tags: [
    {
      name: 'Assets',
      place: 70,
      description:
        'Devices, licences and other things that tickets concern: who holds them, where they are, what happened to them.',
    },
  ],
  examples: {
    'assets.checkout': { id: 2 },
  },
});
