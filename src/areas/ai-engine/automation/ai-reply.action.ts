import { Injectable } from '@nestjs/common';
import type { ActionContext, ActionExecutor, ActionPerformer, RuleAction } from '../../../platform/area/rules';
import { fail } from '../../../platform/errors/api-error';
import { TicketReplies } from '../conversations/ticket-replies';
import { AiSettingsService } from '../settings/ai-settings.service';

/** What rules are told of it. */
export const aiReply: RuleAction = { type: 'ai_reply', label: 'Let the AI engine answer', kind: 'field' };

/** Answers a ticket with quotes of articles where one is sure enough, whatever the mode; otherwise the action fails and nothing is said. */
@Injectable()
export class AiReply implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    { type: aiReply.type, kind: 'direct', objects: ['ticket'], execute: (_action, context) => this.reply(context) },
  ];

  constructor(
    private readonly replies: TicketReplies,
    private readonly settings: AiSettingsService,
  ) {}

  private async reply({ objectId }: ActionContext): Promise<void> {
    const settings = await this.settings.holding();
    if (!settings.enabled) fail('validation_error', 'The AI engine is switched off.');
    if (!(await this.replies.open(objectId, settings)))
      fail('validation_error', 'No source is sure enough of an answer, or somebody has answered already.');
  }
}
