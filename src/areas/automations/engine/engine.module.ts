import { Module } from '@nestjs/common';
import { StoreModule } from '../../../platform/resource/store.module';
import { MeetingsModule } from '../../meetings/meetings.module';
import { TicketsModule } from '../../tickets/tickets.module';
import { automationResource } from '../automation.resource';
import { ActionExecutors } from './action-executors';
import { ActionRunner } from './action-runner';
import { AssignAction } from './actions/assign.action';
import { CreateMeetingAction } from './actions/create-meeting.action';
import { CreateTicketAction } from './actions/create-ticket.action';
import { FieldActions } from './actions/field-actions';
import { MailActions } from './actions/mail-actions';
import { WebhookAction } from './actions/webhook.action';
import { automationRunResource } from './automation-run.resource';
import { AutomationRunsController } from './automation-runs.controller';
import { AutomationRunsService } from './automation-runs.service';
import { AutomationConsumer } from './consumer';
import { EffectHandler } from './effect.handler';
import { Guards } from './guards';
import { RunHandler } from './run.handler';
import { RunReader } from './run-reader';
import { AutomationPreview } from './preview';
import { RecordReader } from './record-reader';
import { RuleRunner } from './rule-runner';
import { RunRedaction } from './run-redaction';
import { Turns } from './turns';
import { Rules } from './rules';
import { RunWriter } from './run-writer';
import { AutomationSchedule } from './schedule';
import { TickHandler } from './tick.handler';

/** What makes automations run; the area around it (definitions, checks, CRUD) imports it. */
@Module({
  imports: [StoreModule.forFeature(automationResource, automationRunResource), TicketsModule, MeetingsModule],
  controllers: [AutomationRunsController],
  providers: [
    ActionExecutors,
    ActionRunner,
    FieldActions,
    AssignAction,
    MailActions,
    WebhookAction,
    CreateTicketAction,
    CreateMeetingAction,
    RecordReader,
    Rules,
    RunReader,
    Guards,
    RunWriter,
    RuleRunner,
    AutomationConsumer,
    RunHandler,
    EffectHandler,
    AutomationSchedule,
    TickHandler,
    AutomationRunsService,
    AutomationPreview,
    Turns,
    RunRedaction,
  ],
  exports: [
    Turns,
    ActionExecutors,
    ActionRunner,
    AutomationPreview,
    AutomationSchedule,
    RunReader,
    RecordReader,
    RunWriter,
  ],
})
export class AutomationEngineModule {}
