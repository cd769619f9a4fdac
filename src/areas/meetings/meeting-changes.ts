import { Injectable } from '@nestjs/common';
import { current } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { ApiError, invalid } from '../../platform/errors/api-error';
import type { Change } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import { BookingService } from './availability/booking.service';
import { type Host, HostBook } from './availability/host-book';
import { isForced } from './forced-booking';
import { askedAgain, storedGuests } from './guests';
import { rowsOfChangedMeeting } from './meeting-rows';
import { isAhead, statusEffects } from './meeting-status';
import { changedTimes, type Times } from './meeting-times';
import type { MeetingStatus } from './meeting-values';
import type { Meeting } from './meeting.entity';
import { SharedMeetings } from './shared-meetings';

/** The rules of a change: status, time, hosts, attendees. Needs the meeting locked. */
@Injectable()
export class MeetingChanges {
  constructor(
    private readonly database: Database,
    private readonly bookings: BookingService,
    private readonly book: HostBook,
    private readonly shared: SharedMeetings,
  ) {}

  /** What changes, and what comes with it. */
  async follow(before: Row<Meeting>, asked: Values<Meeting>): Promise<Change<Meeting>> {
    const values = { ...asked };
    const now = await this.database.moment();
    const to = asked.status ?? before.status;
    const { values: became, events } = statusEffects(before, to, now, actingUser());
    Object.assign(values, became);
    requireReason(before, values, to);
    const times = changedTimes(before, asked);
    const starts = times.starts_at !== before.starts_at;
    const moves = starts || times.ends_at !== before.ends_at;
    Object.assign(values, times);
    const hosts = this.hostsAfter(before, asked.host_id);
    const rehosts = hosts !== null;
    if ((moves || rehosts) && !isAhead(to))
      invalid(moves ? 'starts_at' : 'host_id', 'not_ahead', `The meeting is ${to} and stays as it was.`);
    if (moves || rehosts)
      Object.assign(values, await this.place(before, hosts ?? before.host_ids, times, starts, rehosts));
    if (moves) {
      Object.assign(values, {
        rescheduled_count: before.rescheduled_count + 1,
        previous_starts_at: before.starts_at,
        ical_sequence: before.ical_sequence + 1,
      } satisfies Values<Meeting>);
      events.push('meeting.rescheduled');
    }
    await this.invite(before, values, starts);
    const schedules = moves || rehosts || to !== before.status || values.reminders !== undefined;
    const rows = schedules ? { rows: rowsOfChangedMeeting(before.host_ids) } : {};
    return { values, events: ['meeting.updated', ...events], ...rows };
  }

  /** What becomes of a meeting whose one host leaves; null when the heir cannot have it. */
  async given(before: Row<Meeting>, heir: number | null): Promise<Change<Meeting> | null> {
    if (heir === null) return null;
    try {
      return await this.follow(before, { host_id: heir });
    } catch (error) {
      if (error instanceof ApiError && error.type === 'validation_error') return null;
      throw error;
    }
  }

  /** What becomes of a meeting of several hosts when one of them leaves: the others go on. */
  withoutHost(before: Row<Meeting>, leaver: number): Change<Meeting> {
    const host_ids = before.host_ids.filter((id) => id !== leaver);
    const host_id = before.host_id === leaver ? (host_ids[0] ?? leaver) : before.host_id;
    return { values: { host_ids, host_id }, events: ['meeting.updated'], rows: rowsOfChangedMeeting(before.host_ids) };
  }

  /** The hosts when another one is asked for; null when they stay. */
  private hostsAfter(before: Row<Meeting>, hostId: number | undefined): number[] | null {
    if (hostId === undefined || hostId === before.host_id || before.host_ids.length > 1) {
      if (hostId !== undefined && !before.host_ids.includes(hostId))
        invalid('host_id', 'not_a_host', 'A meeting of several hosts is led by one of them.', {
          allowed: before.host_ids,
        });
      return null;
    }
    return [hostId];
  }

  private async place(
    before: Row<Meeting>,
    hostIds: number[],
    times: Times,
    starts: boolean,
    rehosts: boolean,
  ): Promise<Values<Meeting>> {
    const hosts = await this.book.named(hostIds);
    if (rehosts) requireActive(hosts[0]);
    const forced = await this.bookings.move(before, { hosts, times, starts, rehosts }, isForced());
    if (rehosts) await this.book.keep(hostIds);
    return { host_ids: hostIds, forced };
  }

  /** Whoever is asked to another time is asked again, unless the change itself says what they answered. */
  private async invite(before: Row<Meeting>, values: Values<Meeting>, starts: boolean): Promise<void> {
    const asked = values.attendees;
    if (asked === undefined && !starts) return;
    const guests = asked === undefined ? askedAgain(before.attendees) : storedGuests(asked, before.attendees);
    if (guests.length > before.attendees.length && before.type_id !== null)
      this.shared.requireRoom((await this.book.type(before.type_id)) ?? null, guests.length);
    values.attendees = guests;
    values.attendee_emails = guests.map(({ email }) => email);
  }
}

function actingUser(): number | null {
  return current().principal?.userId ?? null;
}

function requireActive(host: Host | undefined): void {
  if (!host) invalid('host_id', 'not_found', '"host_id" names a user that does not exist.');
  if (host.status !== 'active') invalid('host_id', 'inactive', `"host_id" names a user that is ${host.status}.`);
}

function requireReason(before: Row<Meeting>, values: Values<Meeting>, to: MeetingStatus): void {
  const reason = values.cancellation_reason ?? null;
  if (reason === null || reason === before.cancellation_reason || to === 'cancelled' || to === 'rejected') return;
  invalid('cancellation_reason', 'not_cancelled', 'Only cancelled and rejected meetings have a "cancellation_reason".');
}
