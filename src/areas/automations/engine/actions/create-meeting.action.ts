import type { Action, ActionExecutor, ActionPerformer, Prepared, Shown } from '../../../../platform/area/rules';
import { Injectable } from '@nestjs/common';
import { type NextMeeting, NextMeetings } from '../../../meetings/next-meetings';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

/** Books the next free slot of a type of meeting after the run, by default with the requester. */
@Injectable()
export class CreateMeetingAction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'create_meeting',
      kind: 'effect',
      prepare: (action: Action, context: RuleContext) => Promise.resolve(body(action, context)),
      shown: (prepared) => prepared,
      commit: (prepared) => this.book(prepared),
    },
  ];

  constructor(private readonly meetings: NextMeetings) {}

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
