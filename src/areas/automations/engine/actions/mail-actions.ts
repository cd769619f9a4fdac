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
import { ticketCodeOf } from '../../../tickets/ticket-lookup';
import { activeUsers } from '../../../users/user-lookup';
import type { NotifyParameters, SendEmailParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

type Mail = {
  to: string[];
  subject: string;
  body: string;
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
    const users = await activeUsers(this.database, ids);
    if (users.length === 0) fail('validation_error', 'None of the users is active.');
    const text = rendered(message, context);
    const about = context.object === 'ticket' ? `[${String(context.record.code)}] ` : '';
    return { to: users.map(({ email }) => email), subject: oneLine(`${about}${text}`), body: text };
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

  private async queue({ to, subject, body }: Mail, { id, object, object_id }: EffectContext): Promise<Shown> {
    const code = object === 'ticket' ? await ticketCodeOf(this.database, object_id) : null;
    const about = code === null ? {} : { about: { id: object_id, name: code } };
    const mailId = await this.mailer.queue({ to, subject, text: body, once: `automation-effect-${id}`, ...about });
    return { mail_id: mailId };
  }
}

const MAX_SUBJECT = 200;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '(no subject)';
  return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1)}…` : line;
}
