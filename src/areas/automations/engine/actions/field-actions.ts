import { Injectable, type OnModuleInit } from '@nestjs/common';
import { fail, invalid } from '../../../../platform/http/errors';
import { ValidationPipe } from '../../../../platform/http/validation-pipe';
import { renderTemplate } from '../../../../platform/conditions/template';
import { normaliseTags } from '../../../../platform/resource/column-spec';
import { resourceIfAny } from '../../../../platform/resource/resource';
import { CommentsService } from '../../../tickets/comments.service';
import { UpdateTicket } from '../../../tickets/ticket.dto';
import { TicketsService } from '../../../tickets/tickets.service';
import { ActionExecutors, type DirectAction } from '../action-executors';
import type { Action } from '../rule';
import type { Scene } from '../scene';

/** Actions that change the ticket at once, by the same services and rules as HTTP. */
@Injectable()
export class FieldActions implements OnModuleInit {
  constructor(
    private readonly executors: ActionExecutors,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly pipe: ValidationPipe,
  ) {}

  onModuleInit(): void {
    const register = (type: string, execute: DirectAction['execute']): void =>
      this.executors.register({ type, kind: 'direct', needsTicket: true, execute });
    register('set_field', (action, scene) => this.setField(action, scene));
    register('unassign', async (_action, { ticketId }) => {
      await this.tickets.update(ticketId, { assigned_to: null });
    });
    register('add_tags', (action, scene) => this.changeTags(scene, tagsOf(action), []));
    register('remove_tags', (action, scene) => this.changeTags(scene, [], tagsOf(action)));
    register('escalate', async ({ reason }, scene) => {
      const text = typeof reason === 'string' ? rendered(reason, scene).slice(0, 1_000) : undefined;
      await this.tickets.escalate(scene.ticketId, text === undefined ? {} : { reason: text }, null);
    });
    register('add_comment', async ({ body, is_internal: isInternal }, scene) => {
      const text = rendered(String(body), scene);
      if (text.trim() === '') fail('validation_error', 'The comment would be empty.');
      await this.comments.add(scene.ticketId, { body: text, is_internal: isInternal === true });
    });
  }

  /** Checked once more as a PATCH would be: a template may have come to something that the field cannot hold. */
  private async setField({ field, value }: Action, scene: Scene): Promise<void> {
    const name = String(field);
    const key = /^custom_fields\.(.+)$/s.exec(name)?.[1];
    const kind = resourceIfAny('tickets')?.column.get(name)?.kind;
    const wanted = typeof value === 'string' ? textValue(value, kind, scene) : value;
    const own = scene.record.custom_fields as Record<string, unknown>;
    const body = key === undefined ? { [name]: wanted } : { custom_fields: withKey(own, key, wanted) };
    await this.tickets.update(scene.ticketId, this.pipe.validate(body, UpdateTicket));
  }

  private async changeTags({ ticketId }: Scene, add: string[], remove: string[]): Promise<void> {
    await this.tickets.changeTags(ticketId, add, remove, null);
  }
}

/** A text with its variables filled in. */
export function rendered(text: string, scene: Scene, escape: 'none' | 'json' = 'none'): string {
  return renderTemplate(text, (name) => scene.value(name), escape);
}

/** A relative moment as a moment, a template as its text. */
function textValue(value: string, kind: string | undefined, scene: Scene): string {
  if (kind === 'timestamp' || kind === undefined) return scene.relativeDate(value) ?? rendered(value, scene);
  if (kind === 'date') return scene.relativeDate(value)?.slice(0, 10) ?? value;
  return rendered(value, scene);
}

function withKey(fields: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  if (key === '__proto__') invalid('custom_fields', 'format', 'A custom field cannot have that name.');
  const others = Object.entries(fields).filter(([name]) => name !== key);
  return Object.fromEntries(value === null ? others : [...others, [key, value]]);
}

function tagsOf({ tags }: Action): string[] {
  const text = normaliseTags(tags as string | string[]);
  return text === '' ? [] : text.split(',');
}
