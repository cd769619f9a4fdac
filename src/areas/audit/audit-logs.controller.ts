import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ListParams } from '../../platform/resource/reader';
import { ListQuery, ListRoute, ReadRoute } from '../../platform/resource/routes';
import { auditLogResource } from './audit-log.resource';
import { AuditLogsService } from './audit-logs.service';
import { AUDIT_DAYS } from './audit-retention';

@ApiTags('Audit log')
@Controller('audit-logs')
export class AuditLogsController {
  constructor(private readonly logs: AuditLogsService) {}

  @ListRoute(auditLogResource, {
    description: `Everything that anybody changed, over all resources, newest first: who, what, from what to what, in which request. Kept for ${AUDIT_DAYS} days; a change appears a moment after it was made.`,
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.logs.list(params);
  }

  @ReadRoute(auditLogResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.logs.read(id);
  }
}
