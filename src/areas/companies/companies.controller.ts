import { Body, Controller, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Address } from './address';
import { CompaniesService } from './companies.service';
import { CreateCompany, RemoveCompany, UpdateCompany } from './company.dto';
import { Company } from './company.entity';
import { companyResource } from './company.resource';

@ApiTags('Companies')
@ApiExtraModels(Address)
@Controller('companies')
export class CompaniesController {
  constructor(
    @InjectStore(Company) private readonly records: Store<Company>,
    private readonly companies: CompaniesService,
  ) {}

  @ListRoute(companyResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(companyResource)
  create(@Body() body: CreateCompany): Promise<SingleResult> {
    return this.records.create(body);
  }

  @ReadRoute(companyResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(companyResource)
  update(@Id() id: number, @Body() body: UpdateCompany, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.update(id, body, expected);
  }

  @DeleteRoute(companyResource, {
    description: 'Contacts and tickets stay, without the company.',
  })
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveCompany,
  ): Promise<SingleResult> {
    return this.companies.remove(id, expected, query);
  }
}
