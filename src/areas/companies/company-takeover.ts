import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { PlainTakeover } from '../../platform/resource/plain-takeover';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Takeovers } from '../../platform/resource/takeover';
import { Company } from './company.entity';

/** How companies come in from another system. */
@Injectable()
export class CompanyTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Company) private readonly companies: Store<Company>,
    private readonly database: Database,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new PlainTakeover(this.companies, this.database, { place: 10, keys: ['name'] }));
  }
}
