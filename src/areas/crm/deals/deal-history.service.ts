import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { fail } from '../../../platform/http/errors';
import type { ListResult } from '../../../platform/http/results';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type ListParams, ResourceService } from '../../../platform/resource/resource.service';
import { stageChangeResource } from './stage-change.resource';

/** The way of a deal through the stages, oldest first. */
@Injectable()
export class DealHistoryService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(stageChangeResource, kernel);
  }

  async of(dealId: number, params: ListParams): Promise<ListResult> {
    const page = await this.list(params, { deal_id: dealId });
    if (page.total === 0 && !(await this.knows(dealId))) fail('not_found', `No deal ${dealId}.`);
    return page;
  }

  private async knows(dealId: number): Promise<boolean> {
    const text = `SELECT 1 FROM deals WHERE workspace_id = $1 AND id = $2`;
    return (await this.database.read({ text, values: [currentWorkspaceId(), dealId] })).length > 0;
  }
}
