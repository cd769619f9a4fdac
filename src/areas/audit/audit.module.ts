import { Module } from '@nestjs/common';
import { AuditLogsController } from './audit-logs.controller';
import { AuditLogsService } from './audit-logs.service';
import { AuditRetention } from './audit-retention';
import { AuditTrail } from './audit-trail';

@Module({ controllers: [AuditLogsController], providers: [AuditLogsService, AuditTrail, AuditRetention] })
export class AuditModule {}
