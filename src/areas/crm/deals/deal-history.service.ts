import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/http/errors';
import type { ListResult } from '../../../platform/http/results';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { DealStageChange } from './stage-change.entity';

/** The way of a deal through the stages, oldest first. */
@Injectable()
export class DealHistoryService {
  constructor(
    @InjectReader(DealStageChange) private readonly records: Reader<DealStageChange>,
    private readonly database: Database,
  ) {}

  async of(dealId: number, params: ListParams): Promise<ListResult> {
    const page = await this.records.list(params, { deal_id: dealId });
    if (page.total === 0 && !(await this.knows(dealId))) fail('not_found', `No deal ${dealId}.`);
    return page;
  }

  private async knows(dealId: number): Promise<boolean> {
    const text = `SELECT 1 FROM deals WHERE workspace_id = $1 AND id = $2`;
    return (await this.database.read({ text, values: [currentWorkspaceId(), dealId] })).length > 0;
  }
}
