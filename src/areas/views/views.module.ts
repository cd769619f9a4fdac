import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { viewResource } from './view.resource';
import { ViewsController } from './views.controller';
import { ViewsService } from './views.service';

@Module({
  imports: [StoreModule.forFeature(viewResource)],
  controllers: [ViewsController],
  providers: [ViewsService],
})
export class ViewsModule {}
