import { Injectable } from '@nestjs/common';
import { note } from '../../platform/conditions/check-conditions';
import { checkValue } from '../../platform/conditions/check-value';
import { Database } from '../../platform/database/database';
import { type ErrorDetail, refuseProblems } from '../../platform/errors/api-error';
import { ValidationPipe } from '../../platform/http/validation-pipe';
import { readOnlyFieldsOf } from '../../platform/columns/bodies';
import { imagine } from '../tickets/imagined-values';
import { CreateTicket } from '../tickets/ticket.dto';
import { ticketResource } from '../tickets/ticket.resource';
import { TicketsService } from '../tickets/tickets.service';
import { conditionFields } from './rule-fields';
import { within } from './within';

/** Creates tickets that are undone before anybody sees them. */
@Injectable()
export class ImaginedTickets {
  constructor(
    private readonly database: Database,
    private readonly tickets: TicketsService,
    private readonly pipe: ValidationPipe,
  ) {}

  /**
   * A ticket as described, created by the rules for tickets, then with what only the service sets; a whole record as read
   * is fine, its ids are left out. In the current unit of work.
   */
  async create(path: string, described: Record<string, unknown>): Promise<number> {
    const readOnly = readOnlyFieldsOf(CreateTicket);
    const members = Object.entries(described);
    const body = Object.fromEntries(members.filter(([name, value]) => !readOnly.has(name) && value !== undefined));
    const given = { subject: 'Imagined ticket', ...body };
    return within(path, async () => {
      const { id } = await this.tickets.createKnown(this.pipe.validate(given, CreateTicket));
      await this.overwrite(id, Object.fromEntries(members.filter(([name]) => readOnly.has(name))));
      return id;
    });
  }

  private async overwrite(id: number, values: Record<string, unknown>): Promise<void> {
    const problems: ErrorDetail[] = [];
    const stored = new Map<string, unknown>();
    for (const [name, value] of Object.entries(values)) {
      const spec = conditionFields('ticket').get(name);
      if (!spec || name === 'id' || name === 'code' || spec.type === 'reference') continue;
      const isNullable = ticketResource.column.get(name)?.nullable ?? false;
      const checked = checkValue(isNullable ? 'one_or_null' : 'one', spec, value, false);
      if (checked.ok) stored.set(name, checked.value);
      else note(problems, name, checked.code, checked.problem, checked.allowed);
    }
    refuseProblems(problems);
    if (stored.size === 0) return;
    await imagine(this.database, id, stored);
  }
}
