import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { ResourceService } from '../../../platform/resource/resource.service';
import { dealResource } from './deal.resource';

@Injectable()
export class DealsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(dealResource, kernel);
  }

  /** Marks an open deal as won inside the current unit of work; a deal that is closed already stays as it is. */
  async win(dealId: number): Promise<void> {
    await this.mutate(dealId, null, () => Promise.resolve({ values: {} }));
  }
}
