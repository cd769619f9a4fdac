import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { ResourceService } from '../../../platform/resource/resource.service';
import { leadResource } from './lead.resource';

@Injectable()
export class LeadsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(leadResource, kernel);
  }
}
