import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { CompaniesController } from './companies.controller';
import { CompaniesService } from './companies.service';
import { CompanyTakeover } from './company-takeover';
import { companyResource } from './company.resource';

@Module({
  imports: [StoreModule.forFeature(companyResource)],
  controllers: [CompaniesController],
  providers: [CompaniesService, CompanyTakeover],
  exports: [CompaniesService],
})
export class CompaniesModule {}
