import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { assetHistoryResource } from './history/asset-history.resource';
import { AssetHistory } from './history/asset-history.service';
import { AssetHolders } from './asset-holders';
import { AssetTakeover } from './asset-takeover';
import { AssetTickets } from './asset-tickets.service';
import { AssetWarranties } from './asset-warranties';
import { assetResource } from './asset.resource';
import { AssetsController } from './assets.controller';
import { AssetsService } from './assets.service';

@Module({
  imports: [StoreModule.forFeature(assetResource, assetHistoryResource)],
  controllers: [AssetsController],
  providers: [AssetsService, AssetHolders, AssetHistory, AssetTickets, AssetWarranties, AssetTakeover],
})
export class AssetsModule {}
