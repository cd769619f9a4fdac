import { Injectable } from '@nestjs/common';
import { invalid } from '../../platform/errors/api-error';
import type { Change } from '../../platform/resource/change';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { Guest } from './attendee';
import { HostBook, type TypeRules } from './availability/host-book';
import { SlotFinder } from './availability/slot-finder';
import { joined } from './guests';
import type { Booking } from './meeting.dto';
import type { Meeting } from './meeting.entity';
import { MeetingType } from './types/meeting-type.entity';

/**
 * Meetings of types with more than one seat: bookings of one slot share one meeting, up to its seats. Bookings of such a
 * type wait for each other, so that no seat is given away twice and no slot gets two meetings where one would do.
 */
@Injectable()
export class SharedMeetings {
  constructor(
    @InjectStore(MeetingType) private readonly types: Store<MeetingType>,
    private readonly book: HostBook,
    private readonly finder: SlotFinder,
  ) {}

  /** The meeting that a booking joins; null when it needs one of its own. */
  async seatFor({
    type_id: typeId,
    starts_at: start,
    host_id: hostId,
    attendees = [],
  }: Booking): Promise<number | null> {
    if (!typeId) return null;
    const type = await this.book.type(typeId);
    if (!type || type.seats === 1 || !type.is_active) return null;
    const wanted = attendees.length;
    const find = async (): Promise<number | null> => {
      this.requireRoom(type, wanted);
      const offer = await this.finder.offer(type.id, hostId === undefined ? null : [hostId], undefined);
      const moment = new Date(start).getTime();
      const shared = await this.finder.shared(offer, moment, moment + 1);
      return shared.find((seats) => seats.attendees + wanted <= type.seats)?.id ?? null;
    };
    return this.types.holding(find, `meeting_type:${type.id}`);
  }

  /** The change by which guests join a meeting, which is locked. */
  async join(before: Row<Meeting>, guests: readonly Guest[]): Promise<Change<Meeting>> {
    const attendees = joined(before.attendees, guests);
    const type = before.type_id === null ? undefined : await this.book.type(before.type_id);
    this.requireRoom(type ?? null, attendees.length);
    return { values: { attendees, attendee_emails: attendees.map(({ email }) => email) } };
  }

  /** 422 unless a meeting of the type has room for so many; of shared ones somebody has to come. */
  requireRoom(type: TypeRules | null, attendees: number): void {
    if (!type || type.seats === 1) return;
    if (attendees === 0)
      invalid('attendees', 'required', 'A booking of a shared meeting names who comes in "attendees".');
    if (attendees > type.seats)
      invalid('attendees', 'max', `Meetings of this type have ${type.seats} seats.`, { max: type.seats });
  }
}
