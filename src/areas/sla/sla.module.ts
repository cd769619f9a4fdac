import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { ComplianceController } from './compliance.controller';
import { ComplianceService } from './compliance.service';
import { SealedSteps } from './sealed-steps';
import { SlaDetailService } from './sla-detail.service';
import { SlaEscalation } from './sla-escalation';
import { SlaPoliciesController } from './sla-policies.controller';
import { SlaPoliciesService } from './sla-policies.service';
import { slaPolicyResource } from './sla-policy.resource';
import { SlaLinks } from './sla-links';
import { SlaRecompute } from './sla-recompute';
import { SlaSweep } from './sla-sweep';
import { SlaSchedules } from './sla-schedules';
import { SlaService } from './sla.service';

/** SLA policies, and the clocks that they set for tickets: product reference 1.9 and 3. */
@Module({
  imports: [StoreModule.forFeature(slaPolicyResource)],
  controllers: [ComplianceController, SlaPoliciesController],
  providers: [
    ComplianceService,
    SlaPoliciesService,
    SlaSchedules,
    SlaService,
    SlaDetailService,
    SlaSweep,
    SlaRecompute,
    SlaLinks,
    SlaEscalation,
    SealedSteps,
  ],
  exports: [SlaService, SlaDetailService],
})
export class SlaModule {}
