import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { ResourceService } from '../../../platform/resource/resource.service';
import { stageResource } from './stage.resource';

@Injectable()
export class StagesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(stageResource, kernel);
  }
}
