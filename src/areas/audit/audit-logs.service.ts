import { Injectable } from '@nestjs/common';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService } from '../../platform/resource/resource.service';
import { auditLogResource } from './audit-log.resource';

/** Everything that anybody changed, newest first. Read only: the role of requests may not even write the table. */
@Injectable()
export class AuditLogsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(auditLogResource, kernel);
  }
}
