import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { CompaniesModule } from '../companies/companies.module';
import { ContactTakeover } from './contact-takeover';
import { contactResource } from './contact.resource';
import { ContactErasure } from './contact-erasure';
import { ContactMerge } from './contact-merge';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';

@Module({
  imports: [StoreModule.forFeature(contactResource), CompaniesModule],
  controllers: [ContactsController],
  providers: [ContactsService, ContactErasure, ContactMerge, ContactTakeover],
  exports: [ContactsService, ContactErasure, ContactTakeover],
})
export class ContactsModule {}
