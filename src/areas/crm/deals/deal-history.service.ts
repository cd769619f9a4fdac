import { Injectable } from '@nestjs/common';
import type { ListResult } from '../../../platform/http/results';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { Deal } from './deal.entity';
import { DealStageChange } from './stage-change.entity';

/** The way of a deal through the stages, oldest first. */
@Injectable()
export class DealHistoryService {
  constructor(
    @InjectReader(DealStageChange) private readonly records: Reader<DealStageChange>,
    @InjectStore(Deal) private readonly deals: Store<Deal>,
  ) {}

  async of(dealId: number, params: ListParams): Promise<ListResult> {
    const page = await this.records.list(params, { deal_id: dealId });
    if (page.total === 0) await this.deals.require(dealId);
    return page;
  }
}
