import { Injectable } from '@nestjs/common';
import type { Action, ActionExecutor, ActionPerformer, DirectAction } from '../../../../platform/area/rules';
import { fail, invalid } from '../../../../platform/errors/api-error';
import { ValidationPipe } from '../../../../platform/http/validation-pipe';
import { renderTemplate } from '../../../../platform/conditions/template';
import { normaliseTags } from '../../../../platform/columns/column-spec';
import { resourceIfAny } from '../../../../platform/resource/resource';
import { isRecord } from '../../../../platform/text/json';
import { CommentsService } from '../../../tickets/comments.service';
import { UpdateTicket } from '../../../tickets/ticket.dto';
import { TicketsService } from '../../../tickets/tickets.service';
import type { RuleContext } from '../rule-context';

/** Actions that change the ticket at once, by the same services and rules as HTTP. */
@Injectable()
export class FieldActions implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    direct('set_field', (action, context) => this.setField(action, context)),
    direct('unassign', async (_action, { ticketId }) => {
      await this.tickets.update(ticketId, { assigned_to: null });
    }),
    direct('add_tags', (action, context) => this.changeTags(context, tagsOf(action), [])),
    direct('remove_tags', (action, context) => this.changeTags(context, [], tagsOf(action))),
    direct('escalate', async ({ reason }, context) => {
      const text = typeof reason === 'string' ? rendered(reason, context).slice(0, 1_000) : undefined;
      await this.tickets.escalate(context.ticketId, text === undefined ? {} : { reason: text }, null);
    }),
    direct('add_comment', async ({ body, is_internal: isInternal }, context) => {
      const text = rendered(String(body), context);
      if (text.trim() === '') fail('validation_error', 'The comment would be empty.');
      await this.comments.add(context.ticketId, { body: text, is_internal: isInternal === true });
    }),
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly pipe: ValidationPipe,
  ) {}

  /** Checked once more as a PATCH would be: a template may have come to something that the field cannot hold. */
  private async setField({ field, value }: Action, context: RuleContext): Promise<void> {
    const name = String(field);
    const key = /^custom_fields\.(.+)$/s.exec(name)?.[1];
    const kind = resourceIfAny('tickets')?.column.get(name)?.kind;
    const wanted = typeof value === 'string' ? textValue(value, kind, context) : value;
    const body =
      key === undefined ? { [name]: wanted } : { custom_fields: withKey(context.record.custom_fields, key, wanted) };
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

function tagsOf({ tags }: Action): string[] {
  const given: unknown[] = Array.isArray(tags) ? tags : [tags];
  const text = normaliseTags(given.filter((tag) => typeof tag === 'string'));
  return text === '' ? [] : text.split(',');
}

/** Acts on the ticket of the event. */
function direct(type: string, execute: (action: Action, context: RuleContext) => Promise<void>): DirectAction {
  return { type, kind: 'direct', objects: ['ticket'], execute };
}
