import { Injectable } from '@nestjs/common';
import type { ActionExecutor, ActionPerformer, ActionWith, Prepared, Shown } from '../../../../platform/area/rules';
import { ValidationPipe } from '../../../../platform/http/validation-pipe';
import { firstCharacters } from '../../../../platform/text/normalise';
import { CreateTicket } from '../../../tickets/ticket.dto';
import { TicketsService } from '../../../tickets/tickets.service';
import type { CreateTicketParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

const TEXTS = ['subject', 'description', 'requester_email'];

type Create = ActionWith<CreateTicketParameters>;

/** Creates another ticket after the run. Its own events carry the chain on, so a rule cannot breed tickets for ever. */
@Injectable()
export class CreateTicketAction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'create_ticket',
      kind: 'effect',
      prepare: (action: Create, context: RuleContext) => Promise.resolve(this.body(action, context)),
      shown: (prepared) => prepared,
      commit: (prepared) => this.create(prepared),
    },
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly pipe: ValidationPipe,
  ) {}

  private body({ type: _type, on_error: _onError, ...fields }: Create, context: RuleContext): Prepared {
    // The action's own name stands in `type`; a ticket's type is asked for as `ticket_type`.
    const { ticket_type: ticketType, ...rest } = fields;
    const body: Record<string, unknown> = { channel: 'internal', ...rest };
    if (ticketType !== undefined) body.type = ticketType;
    for (const name of TEXTS) if (typeof body[name] === 'string') body[name] = rendered(body[name], context);
    if (typeof body.subject === 'string') body.subject = firstCharacters(body.subject.replaceAll(/\s+/g, ' '), 255);
    if (body.requester_email === '') delete body.requester_email;
    if (typeof body.custom_fields === 'object' && body.custom_fields !== null) {
      const entries = Object.entries(body.custom_fields).map(([name, value]: [string, unknown]): [string, unknown] => [
        name,
        typeof value === 'string' ? rendered(value, context) : value,
      ]);
      body.custom_fields = Object.fromEntries(entries);
    }
    this.pipe.validate(body, CreateTicket);
    return body;
  }

  private async create(body: Prepared): Promise<Shown> {
    const { id } = await this.tickets.createKnown(this.pipe.validate({ ...body }, CreateTicket));
    return { ticket_id: id };
  }
}
