import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { ResourceService } from '../../../platform/resource/resource.service';
import { stageChangeResource } from './stage-change.resource';

@Injectable()
export class DealHistoryService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(stageChangeResource, kernel);
  }
}
