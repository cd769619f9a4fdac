import { Injectable } from '@nestjs/common';
import type {
  ActionExecutor,
  ActionPerformer,
  ActionWith,
  EffectAction,
  EffectContext,
  Prepared,
  Shown,
} from '../../../../platform/area/rules';
import { Database } from '../../../../platform/database/database';
import { fail } from '../../../../platform/errors/api-error';
import { Mailer } from '../../../../platform/mail/mailer';
import { shortened } from '../../../../platform/text/normalise';
import { ticketCodeOf } from '../../../tickets/ticket-lookup';
import { activeUsers, toldByAutomations } from '../../../users/user-lookup';
import type { NotifyParameters, SendEmailParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

type Mail = {
  /** May be empty: nobody wants to be told, or not now. */
  to: string[];
  subject: string;
  body: string;
  /** Those who are not to be disturbed until a moment, ms since 1970. */
  held?: { to: string; until: number }[];
  /** For users, who are told as often as their rules say. */
  inside?: boolean;
};

/** `send_email` to people outside, and `notify` to users: both are mail. */
@Injectable()
export class MailActions implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    this.mail('send_email', (action: ActionWith<SendEmailParameters>, context: RuleContext) =>
      this.letter(action, context),
    ),
    this.mail('notify', (action: ActionWith<NotifyParameters>, context: RuleContext) => this.notice(action, context)),
  ];

  constructor(
    private readonly mailer: Mailer,
    private readonly database: Database,
  ) {}

  private mail(type: string, prepare: EffectAction['prepare']): EffectAction {
    return {
      type,
      kind: 'effect',
      prepare,
      shown: (prepared) => prepared,
      commit: (prepared: Mail, context) => this.queue(prepared, context),
    };
  }

  private async letter({ to, subject, body }: SendEmailParameters, context: RuleContext): Promise<Prepared> {
    const mail: Mail = {
      to: await this.recipients(to, context),
      subject: oneLine(rendered(subject, context)),
      body: rendered(body, context),
    };
    return { ...mail };
  }

  private async notice({ user_ids: ids, message }: NotifyParameters, context: RuleContext): Promise<Prepared> {
    const users = await toldByAutomations(this.database, ids);
    if (users.length === 0 && (await activeUsers(this.database, ids)).length === 0)
      fail('validation_error', 'None of the users is active.');
    const text = rendered(message, context);
    const about = context.object === 'ticket' ? `[${String(context.record.code)}] ` : '';
    const now = users.filter(({ quiet_until: until }) => until === null).map(({ email }) => email);
    const held = users.flatMap(({ email: to, quiet_until: until }) => (until === null ? [] : [{ to, until }]));
    return {
      to: now,
      subject: oneLine(`${about}${text}`),
      body: text,
      inside: true,
      ...(held.length > 0 ? { held } : {}),
    };
  }

  private async recipients(to: string | string[], context: RuleContext): Promise<string[]> {
    if (Array.isArray(to)) return to;
    const address = to === 'assignee' ? await this.assignee(context) : context.value('requester.email');
    if (typeof address !== 'string') fail('validation_error', `There is no ${to} to write to.`);
    return [address];
  }

  private async assignee({ record }: RuleContext): Promise<string | undefined> {
    const { assigned_to: id } = record;
    const [user] = typeof id === 'number' ? await activeUsers(this.database, [id]) : [];
    return user?.email;
  }

  private async queue(
    { to, subject, body, held = [], inside = false }: Mail,
    { id, object, object_id }: EffectContext,
  ): Promise<Shown> {
    const code = object === 'ticket' ? await ticketCodeOf(this.database, object_id) : null;
    const about = code === null ? {} : { about: { id: object_id, name: code } };
    const once = `automation-effect-${id}`;
    const mail = { subject, text: body, inside, ...about };
    const mailId = to.length === 0 ? null : await this.mailer.queue({ ...mail, to, once });
    const later: number[] = [];
    for (const { to: one, until } of held)
      later.push(await this.mailer.queue({ ...mail, to: [one], once: `${once}:${one}`, not_before: until }));
    return { mail_id: mailId, ...(later.length > 0 ? { held_mail_ids: later } : {}) };
  }
}

const MAX_SUBJECT = 200;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '(no subject)';
  return shortened(line, MAX_SUBJECT);
}
