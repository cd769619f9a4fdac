import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { ResourceService } from '../../../platform/resource/resource.service';
import { pipelineResource } from './pipeline.resource';

@Injectable()
export class PipelinesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(pipelineResource, kernel);
  }
}
