import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { ContactsModule } from '../contacts/contacts.module';
import { ContactExport } from './contact-export';
import { ContactErasureController, ErasuresController } from './erasures.controller';
import { erasureResource } from './erasure.resource';
import { ErasureRunner } from './erasure-runner';
import { ErasuresService } from './erasures.service';

@Module({
  imports: [StoreModule.forFeature(erasureResource), ContactsModule],
  controllers: [ContactErasureController, ErasuresController],
  providers: [ContactExport, ErasuresService, ErasureRunner],
})
export class PrivacyAreaModule {}
