import { Injectable } from '@nestjs/common';
import type { ActionContext, ActionExecutor, ActionPerformer, RuleAction } from '../../../platform/area/rules';
import { fail } from '../../../platform/errors/api-error';
import { JobQueue } from '../../../platform/queue/job-queue';
import { RULE_JOB } from '../conversations/replying';
import { TicketReplies } from '../conversations/ticket-replies';
import { AiSettingsService } from '../settings/ai-settings.service';

/** What rules are told of it. */
export const aiReply: RuleAction = {
  type: 'ai_reply',
  label: 'Let the AI engine answer',
  kind: 'field',
  permission: 'tickets.reply',
};

/**
 * Answers a ticket with quotes where a source is sure enough, whatever the mode; otherwise the action fails and nothing is said. A model
 * elsewhere is asked after the rule, which holds the ticket: the action fails only where there is nothing to answer.
 */
@Injectable()
export class AiReply implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    { type: aiReply.type, kind: 'direct', objects: ['ticket'], execute: (_action, context) => this.reply(context) },
  ];

  constructor(
    private readonly replies: TicketReplies,
    private readonly settings: AiSettingsService,
    private readonly queue: JobQueue,
  ) {}

  private async reply({ objectId }: ActionContext): Promise<void> {
    const settings = await this.settings.holding();
    if (!settings.enabled) fail('validation_error', 'The AI engine is switched off.');
    if (settings.model === null) {
      if (await this.replies.next(objectId, null, 'rule')) return;
      fail('validation_error', 'No source is sure enough of an answer, or somebody has answered already.');
    }
    if (!(await this.replies.isOpen(objectId)))
      fail('validation_error', 'There is nothing to answer, or somebody has answered already.');
    await this.queue.add([{ kind: RULE_JOB, subject_id: objectId, group_id: objectId }]);
  }
}
