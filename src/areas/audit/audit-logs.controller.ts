import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { ListQuery, ListRoute, ReadRoute } from '../../platform/routes/routes';
import { InjectReader } from '../../platform/resource/store.module';
import { AuditLog } from './audit-log.entity';
import { auditLogResource } from './audit-log.resource';
import { AUDIT_DAYS } from './audit-retention';

/** Everything that anybody changed, newest first. Read only: the role of requests may not even write the table. */
@ApiTags('Audit log')
@Controller('audit-logs')
export class AuditLogsController {
  constructor(@InjectReader(AuditLog) private readonly records: Reader<AuditLog>) {}

  @ListRoute(auditLogResource, {
    description: `Everything that anybody changed, over all resources, newest first: who, what, from what to what, in which request. Kept for ${AUDIT_DAYS} days; a change appears a moment after it was made.`,
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ReadRoute(auditLogResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }
}
