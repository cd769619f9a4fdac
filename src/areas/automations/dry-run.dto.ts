import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsObject, IsString, Max, MaxLength, Min } from 'class-validator';
import { IfGiven } from '../../platform/validation/shapes';

/** An object with any members, documented. */
const AnyObject = (description: string, example?: object): PropertyDecorator =>
  ApiProperty({ type: Object, required: false, description, ...(example ? { example } : {}) });

/** `POST /automations/test`: a rule, a ticket, an event. */
export class TestAutomation {
  @AnyObject('An automation that need not be stored; instead of `automation_id`.', {
    trigger: 'ticket.created',
    actions: [{ type: 'add_tags', tags: 'vip' }],
  })
  @IfGiven()
  @IsObject()
  automation?: Record<string, unknown>;

  @ApiProperty({ type: 'integer', format: 'int64', required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  automation_id?: number;

  @ApiProperty({ type: 'integer', format: 'int64', required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id?: number;

  @AnyObject(
    'A ticket that need not exist; instead of `ticket_id`. Also what the service sets may be given, e.g. `sla_status`.',
    { subject: 'Printer on floor 3 is jammed', priority: 'high' },
  )
  @IfGiven()
  @IsObject()
  ticket?: Record<string, unknown>;

  @ApiProperty({ type: 'string', required: false, description: 'Default: the trigger of the automation.' })
  @IfGiven()
  @IsString()
  @MaxLength(100)
  event?: string;

  @AnyObject('What the event changed: field to `{from, to}`.', { status: { from: 'open', to: 'on_hold' } })
  @IfGiven()
  @IsObject()
  changes?: Record<string, unknown>;

  @AnyObject('The comment of the event.', { body: 'Still broken' })
  @IfGiven()
  @IsObject()
  comment?: Record<string, unknown>;

  @AnyObject('Who caused the event; default: you.', { type: 'requester', id: null, name: 'Ada' })
  @IfGiven()
  @IsObject()
  actor?: Record<string, unknown>;
}
