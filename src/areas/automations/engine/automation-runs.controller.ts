import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult } from '../../../platform/http/results';
import type { ListParams } from '../../../platform/resource/reader';
import { ListQuery, ListRoute } from '../../../platform/routes/routes';
import { automationRunResource } from './automation-run.resource';
import { AutomationRunsService } from './automation-runs.service';

@ApiTags('Automations')
@Controller()
export class AutomationRunsController {
  constructor(private readonly runs: AutomationRunsService) {}

  @ListRoute(automationRunResource, {
    path: 'automations/:id/runs',
    summary: 'List what an automation did',
    description: 'With expected and actual values, newest first. Unmet conditions are kept 24 hours, the rest 30 days.',
  })
  listOfAutomation(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.runs.ofAutomation(id, params);
  }

  @Needs('automations.read')
  @ListRoute(automationRunResource, {
    path: 'tickets/:id/automation-runs',
    summary: 'List what automations did with a ticket',
    description: 'With expected and actual values, newest first. Unmet conditions are kept 24 hours, the rest 30 days.',
  })
  listOfTicket(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.runs.ofTicket(id, params);
  }
}
