import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { RuledTakeover } from '../../../platform/resource/ruled-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { type Nested, Takeovers } from '../../../platform/resource/takeover';
import { Deal } from '../deals/deal.entity';
import { Lead } from '../leads/lead.entity';
import { Pipeline } from '../pipelines/pipeline.entity';
import { DealRules } from './deal-rules';
import { LeadTaking } from './lead-taking';

/** What is known of the end of a deal that comes in. */
const MOMENTS = ['closed_at', 'won_at', 'lost_at', 'first_won_at', 'stage_changed_at'] as const;

/** How leads and deals come in from another system. Pipelines and stages are made here, by people; deals find theirs by name. */
@Injectable()
export class CrmTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Lead) private readonly leads: Store<Lead>,
    @InjectStore(Deal) private readonly deals: Store<Deal>,
    @InjectStore(Pipeline) private readonly pipelines: Store<Pipeline>,
    private readonly database: Database,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    const { database } = this;
    const leadSpec = { place: 100, more: ['converted_at'], names: ['email'] };
    this.takeovers.register(new RuledTakeover(this.leads, database, leadSpec, new LeadTaking(database)));
    const rules = new DealRules(database, this.pipelines);
    const stages: Nested = {
      resource: 'stages',
      within: 'pipeline_id',
      idsOf: (names) => rules.idsOfStages(names),
    };
    const fixed = ['position', 'stage_changed_at', 'first_won_at'];
    const dealSpec = { place: 110, more: MOMENTS, fixed, nested: [stages] };
    this.takeovers.register(new RuledTakeover(this.deals, database, dealSpec, rules));
  }
}
