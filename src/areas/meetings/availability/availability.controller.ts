import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AvailabilityQuery } from './availability-query';
import { Availability, AvailabilityService } from './availability.service';
import { AnswerOf } from '../../../platform/http/answer-members';

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
  @AnswerOf(Availability, { description: 'The slots, in order.' })
  find(@Query() query: AvailabilityQuery): Promise<Availability> {
    return this.availability.find(query);
  }
}
