import { CreateAuditLog1763800800000 } from '../../../migrations/1763800800000-create-audit-log';
import { ChangesOfSeveralEvents1768900000000 } from '../../../migrations/1768900000000-changes-of-several-events';
import { defineArea } from '../../platform/area/area';
import { auditLogResource } from './audit-log.resource';
import { AuditTrail } from './audit-trail';
import { AuditModule } from './audit.module';
import { auditPersonal } from './audit.personal';

/** Who did what, kept for as long as the plan says. */
export const auditArea = defineArea({
  name: 'audit',
  module: AuditModule,
  resources: [auditLogResource],
  migrations: [CreateAuditLog1763800800000, ChangesOfSeveralEvents1768900000000],
  permissions: [{ name: 'audit-logs.read', description: 'Read the audit log.', from: 'admin' }],
  personal: auditPersonal,
  consumers: [AuditTrail],
  tags: [{ name: 'Audit log', place: 180, description: 'Who did what, kept for as long as the plan says.' }],
});
