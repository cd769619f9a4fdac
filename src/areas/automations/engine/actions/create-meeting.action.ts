import type { ActionExecutor, ActionPerformer, ActionWith, Prepared, Shown } from '../../../../platform/area/rules';
import { Injectable } from '@nestjs/common';
import { firstCharacters } from '../../../../platform/text/normalise';
import { type NextMeeting, NextMeetings } from '../../../meetings/next-meetings';
import type { CreateMeetingParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

/** Books the next free slot of a type of meeting after the run, by default with the requester. */
@Injectable()
export class CreateMeetingAction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'create_meeting',
      kind: 'effect',
      prepare: (action: ActionWith<CreateMeetingParameters>, context: RuleContext) =>
        Promise.resolve(body(action, context)),
      shown: (prepared) => prepared,
      commit: (prepared: NextMeeting) => this.book(prepared),
    },
  ];

  constructor(private readonly meetings: NextMeetings) {}

  private async book(prepared: NextMeeting): Promise<Shown> {
    const { id, starts_at } = await this.meetings.book(prepared);
    return { meeting_id: id, starts_at };
  }
}

function body(action: CreateMeetingParameters, context: RuleContext): Prepared {
  const { type_id, host_id, title, description, attendee_email: asked } = action;
  const email = asked === undefined ? context.value('requester.email') : rendered(asked, context).trim();
  return {
    type_id,
    ...(host_id === undefined ? {} : { host_id }),
    ...(title === undefined
      ? {}
      : { title: firstCharacters(rendered(title, context).replaceAll(/\s+/g, ' '), 255).trim() }),
    ...(description === undefined ? {} : { description: rendered(description, context) }),
    attendees: typeof email === 'string' && email !== '' ? [{ email }] : [],
    ...(context.object === 'ticket' ? { ticket_id: context.objectId } : {}),
  };
}
