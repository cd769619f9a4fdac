import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AvailabilityQuery } from './availability-query';
import { type Availability, AvailabilityService } from './availability.service';
import { availabilitySchema } from './availability.schemas';

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
  @ApiOkResponse({ description: 'The slots, in order.', schema: availabilitySchema })
  find(@Query() query: AvailabilityQuery): Promise<Availability> {
    return this.availability.find(query);
  }
}
