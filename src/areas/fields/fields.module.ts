import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { customFieldResource } from './custom-field.resource';
import { CustomFieldsController } from './custom-fields.controller';
import { CustomFieldsService } from './custom-fields.service';
import { MergedReferences } from './merged-references';

@Module({
  imports: [StoreModule.forFeature(customFieldResource)],
  controllers: [CustomFieldsController],
  providers: [CustomFieldsService, MergedReferences],
})
export class FieldsModule {}
