import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type NextMeeting, NextMeetings } from '../../../meetings/next-meetings';
import { ActionExecutors, type Prepared } from '../action-executors';
import type { Action } from '../rule';
import type { RuleContext, Shown } from '../rule-context';
import { rendered } from './field-actions';

/** Books the next free slot of a type of meeting after the run, by default with the requester. */
@Injectable()
export class CreateMeetingAction implements OnModuleInit {
  constructor(
    private readonly executors: ActionExecutors,
    private readonly meetings: NextMeetings,
  ) {}

  onModuleInit(): void {
    this.executors.register({
      type: 'create_meeting',
      kind: 'effect',
      needsTicket: false,
      prepare: (action, context) => Promise.resolve(body(action, context)),
      shown: (prepared) => prepared,
      commit: (prepared) => this.book(prepared),
    });
  }

  private async book(prepared: Prepared): Promise<Shown> {
    const { id, starts_at } = await this.meetings.book(prepared as unknown as NextMeeting);
    return { meeting_id: id, starts_at };
  }
}

function body(action: Action, context: RuleContext): Prepared {
  const { type_id, host_id, title, description, attendee_email: asked } = action as Readonly<Record<string, unknown>>;
  const email = asked === undefined ? context.value('requester.email') : rendered(asked as string, context).trim();
  return {
    type_id,
    ...(host_id === undefined ? {} : { host_id }),
    ...(title === undefined
      ? {}
      : {
          title: rendered(title as string, context)
            .replaceAll(/\s+/g, ' ')
            .slice(0, 255)
            .trim(),
        }),
    ...(description === undefined ? {} : { description: rendered(description as string, context) }),
    attendees: typeof email === 'string' && email !== '' ? [{ email }] : [],
    ...(context.object === 'ticket' ? { ticket_id: context.objectId } : {}),
  };
}
