import { Injectable } from '@nestjs/common';
import type { ActionExecutor, ActionPerformer, ActionWith, DirectAction } from '../../../../platform/area/rules';
import { fail, invalid } from '../../../../platform/errors/api-error';
import { ValidationPipe } from '../../../../platform/http/validation-pipe';
import { renderTemplate } from '../../../../platform/conditions/template';
import { resourceIfAny } from '../../../../platform/resource/resource';
import { isRecord } from '../../../../platform/text/json';
import { firstCharacters } from '../../../../platform/text/normalise';
import { CommentsService } from '../../../tickets/comments.service';
import { UpdateTicket } from '../../../tickets/ticket.dto';
import { TicketsService } from '../../../tickets/tickets.service';
import type {
  AddCommentParameters,
  EscalateParameters,
  SetFieldParameters,
  TagsParameters,
} from '../../action-parameters';
import type { RuleContext } from '../rule-context';

type SetField = ActionWith<SetFieldParameters>;
type Tags = ActionWith<TagsParameters>;
type Escalate = ActionWith<EscalateParameters>;
type Comment = ActionWith<AddCommentParameters>;

/** Actions that change the ticket at once, by the same services and rules as HTTP. */
@Injectable()
export class FieldActions implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    direct('set_field', (action: SetField, context: RuleContext) => this.setField(action, context)),
    direct('unassign', async (_action, { ticketId }: RuleContext) => {
      await this.tickets.update(ticketId, { assigned_to: null });
    }),
    direct('add_tags', ({ tags }: Tags, context: RuleContext) => this.changeTags(context, tags.split(','), [])),
    direct('remove_tags', ({ tags }: Tags, context: RuleContext) => this.changeTags(context, [], tags.split(','))),
    direct('escalate', async ({ reason }: Escalate, context: RuleContext) => {
      const body = reason === undefined ? {} : { reason: firstCharacters(rendered(reason, context), 1_000) };
      await this.tickets.escalate(context.ticketId, body, null);
    }),
    direct('add_comment', async ({ body, is_internal: isInternal = false }: Comment, context: RuleContext) => {
      const text = rendered(body, context);
      if (text.trim() === '') fail('validation_error', 'The comment would be empty.');
      await this.comments.add(context.ticketId, { body: text, is_internal: isInternal });
    }),
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly pipe: ValidationPipe,
  ) {}

  /** Checked once more as a PATCH would be: a template may have come to something that the field cannot hold. */
  private async setField({ field, value }: SetFieldParameters, context: RuleContext): Promise<void> {
    const key = /^custom_fields\.(.+)$/s.exec(field)?.[1];
    const kind = resourceIfAny('tickets')?.column.get(field)?.kind;
    const wanted = typeof value === 'string' ? textValue(value, kind, context) : value;
    const body =
      key === undefined ? { [field]: wanted } : { custom_fields: withKey(context.record.custom_fields, key, wanted) };
    await this.tickets.update(context.ticketId, this.pipe.validate(body, UpdateTicket));
  }

  private async changeTags({ ticketId }: RuleContext, add: string[], remove: string[]): Promise<void> {
    await this.tickets.changeTags(ticketId, add, remove, null);
  }
}

/** A text with its variables filled in. */
export function rendered(text: string, context: RuleContext, escape: 'none' | 'json' = 'none'): string {
  return renderTemplate(text, (name) => context.value(name), escape);
}

/** A relative moment as a moment, a template as its text. */
function textValue(value: string, kind: string | undefined, context: RuleContext): string {
  if (kind === 'timestamp' || kind === undefined) return context.relativeDate(value) ?? rendered(value, context);
  if (kind === 'date') return context.relativeDate(value)?.slice(0, 10) ?? value;
  return rendered(value, context);
}

function withKey(fields: unknown, key: string, value: unknown): Record<string, unknown> {
  if (key === '__proto__') invalid('custom_fields', 'format', 'A custom field cannot have that name.');
  const others = Object.entries(isRecord(fields) ? fields : {}).filter(([name]) => name !== key);
  return Object.fromEntries(value === null ? others : [...others, [key, value]]);
}

/** Acts on the ticket of the event. */
function direct(type: string, execute: DirectAction['execute']): DirectAction {
  return { type, kind: 'direct', objects: ['ticket'], execute };
}
