import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { auditLogResource } from './audit-log.resource';
import { AuditLogsController } from './audit-logs.controller';
import { AuditRetention } from './audit-retention';
import { AuditTrail } from './audit-trail';

@Module({
  imports: [StoreModule.forFeature(auditLogResource)],
  controllers: [AuditLogsController],
  providers: [AuditTrail, AuditRetention],
})
export class AuditModule {}
