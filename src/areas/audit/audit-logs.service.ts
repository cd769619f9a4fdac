import { Injectable } from '@nestjs/common';
import type { ListResult, SingleResult } from '../../platform/http/results';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { AuditLog } from './audit-log.entity';

/** Everything that anybody changed, newest first. Read only: the role of requests may not even write the table. */
@Injectable()
export class AuditLogsService {
  constructor(@InjectReader(AuditLog) private readonly records: Reader<AuditLog>) {}

  list(params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  read(id: number): Promise<SingleResult> {
    return this.records.read(id);
  }
}
