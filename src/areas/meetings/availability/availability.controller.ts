import { applyDecorators, Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { RawQuery } from '../../../platform/resource/list-query';
import { QueryParameters } from '../../../platform/resource/routes';
import { type Availability, AvailabilityService } from './availability.service';
import { availabilitySchema } from './availability.schemas';

const parameter = (name: string, description: string, type: 'string' | 'integer' = 'string'): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type } });

@ApiTags('Meetings')
@Controller('meetings/availability')
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  @Get()
  @ApiOperation({
    summary: 'Find free slots',
    description:
      'Working hours, meetings with their buffers, absences and the rules of the type, for at most 31 days. What is shown can be booked with `POST /meetings`.',
  })
  @applyDecorators(
    parameter('type_id', 'Type of meeting; its duration, hosts and rules hold.', 'integer'),
    parameter('duration_minutes', 'Without a type; 30 unless given, 5 to 480.', 'integer'),
    parameter('host_id', 'Users, comma-separated; the hosts of the type, else the user of the token, else all users.'),
    parameter('from', 'A date, or a moment; in `timezone` unless it has an offset. Today unless given.'),
    parameter('to', 'Likewise; a date includes that day. 7 days after `from` unless given.'),
    parameter('timezone', 'IANA name; that of the workspace unless given.'),
  )
  @ApiOkResponse({ description: 'The slots, in order.', schema: availabilitySchema })
  find(@QueryParameters() query: RawQuery): Promise<Availability> {
    return this.availability.find(query);
  }
}
