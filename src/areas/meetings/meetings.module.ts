import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AvailabilityController } from './availability/availability.controller';
import { AvailabilityService } from './availability/availability.service';
import { BookingService } from './availability/booking.service';
import { HostBook } from './availability/host-book';
import { SlotFinder } from './availability/slot-finder';
import { AttendeeMail } from './invitations/attendee-mail';
import { CalendarService } from './invitations/calendar.service';
import { InvitationConsumer } from './invitations/invitation-consumer';
import { InvitationHandler } from './invitations/invitation-handler';
import { ReminderHandler } from './invitations/reminder-handler';
import { MeetingDuties } from './leaving/meeting-duties';
import { MeetingHandovers } from './leaving/meeting-handovers';
import { MeetingChanges } from './meeting-changes';
import { meetingResource } from './meeting.resource';
import { MeetingsController } from './meetings.controller';
import { MeetingsService } from './meetings.service';
import { NextMeetings } from './next-meetings';
import { SharedMeetings } from './shared-meetings';
import { meetingTypeResource } from './types/meeting-type.resource';
import { MeetingTypesController } from './types/meeting-types.controller';
import { MeetingTypesService } from './types/meeting-types.service';

@Module({
  imports: [StoreModule.forFeature(meetingResource, meetingTypeResource)],
  controllers: [AvailabilityController, MeetingTypesController, MeetingsController],
  providers: [
    AttendeeMail,
    AvailabilityService,
    BookingService,
    CalendarService,
    HostBook,
    InvitationConsumer,
    InvitationHandler,
    MeetingChanges,
    MeetingDuties,
    MeetingHandovers,
    MeetingsService,
    MeetingTypesService,
    NextMeetings,
    ReminderHandler,
    SharedMeetings,
    SlotFinder,
  ],
  exports: [MeetingsService, NextMeetings],
})
export class MeetingsModule {}
