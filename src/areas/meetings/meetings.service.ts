import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { sqlState, violatedConstraint } from '../../platform/database/database-errors';
import { ApiError, fail, invalid } from '../../platform/errors/api-error';
import { SingleResult } from '../../platform/http/results';
import type { Creation } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { resourceIfAny } from '../../platform/resource/resource';
import type { Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { BookingService, buffersOf } from './availability/booking.service';
import type { TypeRules } from './availability/host-book';
import { isForced } from './forced-booking';
import { storedGuests } from './guests';
import type { RemoveMeeting } from './meeting-actions.dto';
import { MeetingChanges } from './meeting-changes';
import { rowsOfNewMeeting } from './meeting-rows';
import { newTimes } from './meeting-times';
import type { MeetingStatus } from './meeting-values';
import type { Booking, UpdateMeeting } from './meeting.dto';
import { Meeting } from './meeting.entity';
import { meetingResource } from './meeting.resource';
import { SharedMeetings } from './shared-meetings';

@Injectable()
export class MeetingsService {
  constructor(
    @InjectStore(Meeting) private readonly meetings: Store<Meeting>,
    private readonly database: Database,
    private readonly bookings: BookingService,
    private readonly rules: MeetingChanges,
    private readonly shared: SharedMeetings,
  ) {}

  async create(body: Booking): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** Books a meeting; where its type shares meetings and one of the slot has room, the attendees join that one. */
  createKnown(body: Booking): Promise<{ id: number; result: SingleResult }> {
    return guarded(() =>
      this.database.transaction(async () => {
        const seat = await this.seatFor(body);
        if (seat === null) return this.meetings.createKnown(body, (values) => this.complete(values, body));
        const result = await this.meetings.mutate(seat, null, (before) =>
          this.shared.join(before, storedGuests(body.attendees ?? [])),
        );
        return { id: seat, result: new SingleResult(result.json, result.etag, 201) };
      }),
    );
  }

  update(id: number, body: UpdateMeeting, expected: ExpectedVersions): Promise<SingleResult> {
    return guarded(() =>
      this.meetings.update(id, body, expected, (before, values) => this.rules.follow(before, values)),
    );
  }

  /** Another status, by PATCH or by an action. */
  become(
    id: number,
    status: MeetingStatus,
    reason: string | undefined,
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    const asked = { status, ...(reason === undefined ? {} : { cancellation_reason: reason }) };
    return guarded(() => this.meetings.mutate(id, expected, (before) => this.rules.follow(before, asked)));
  }

  /** DELETE: the meeting is cancelled and stays readable (decision 7); again it changes nothing. */
  remove(id: number, expected: ExpectedVersions, { reason = '' }: RemoveMeeting): Promise<SingleResult> {
    const why = reason.trim() === '' ? {} : { cancellation_reason: reason.trim() };
    return guarded(() =>
      this.meetings.mutate(id, expected, (before) =>
        before.status === 'cancelled' ? { values: {} } : this.rules.follow(before, { status: 'cancelled', ...why }),
      ),
    );
  }

  /** Says that a reminder is due, inside a unit of work that holds the meeting. */
  async announceReminder(id: number, reminder: { minutes: number; due_at: string }): Promise<void> {
    await this.meetings.announce(id, ['meeting.reminder_due'], { reminder });
  }

  /** The meeting that a booking joins, locked; null when it needs one of its own. What became of one while it was waited for is looked at anew. */
  private async seatFor(body: Booking): Promise<number | null> {
    let seat = await this.shared.seatFor(body);
    for (;;) {
      if (seat === null) return null;
      await this.meetings.lock(seat);
      const still = await this.shared.seatFor(body);
      if (still === seat) return seat;
      seat = still;
    }
  }

  private async complete(values: Values<Meeting>, body: Booking): Promise<Creation> {
    await this.requireReferences(values);
    const force = isForced();
    const hostId = body.host_id ?? null;
    const typeId = body.type_id ?? null;
    const offer = await this.bookings.offer(typeId, hostId, force);
    const { type } = offer;
    const times = newTimes(body, type?.duration_minutes);
    values.title = titleOf(body, type);
    values.status = firstStatus(body.status, type);
    const { host, hostIds, forced } = await this.bookings.place(offer, hostId, times, force);
    const guests = storedGuests(body.attendees ?? []);
    this.shared.requireRoom(type, guests.length);
    Object.assign(values, times, buffersOf(type), {
      host_id: host.id,
      host_ids: hostIds,
      forced,
      timezone: body.timezone ?? host.timezone,
      location_type: body.location_type ?? type?.location_type ?? 'video',
      attendees: guests,
      attendee_emails: guests.map(({ email }) => email),
      ical_uid: `${randomUUID()}@meetings.helpdesk-api`,
    } satisfies Values<Meeting>);
    return { rows: rowsOfNewMeeting };
  }

  /** A reference to nothing is worth more to know than a slot that is taken; type and host are looked at anyway. */
  private async requireReferences(values: Values<Meeting>): Promise<void> {
    const given = new Map<string, unknown>(Object.entries(values));
    for (const { kind, name, references } of meetingResource.columns) {
      const id = given.get(name);
      const target = kind === 'reference' ? resourceIfAny(references ?? '') : undefined;
      if (!target || typeof id !== 'number' || name === 'type_id' || name === 'host_id') continue;
      const found = await this.database.query(`SELECT FROM ${target.table} WHERE workspace_id = $1 AND id = $2`, [
        currentWorkspaceId(),
        id,
      ]);
      if (found.length === 0) invalid(name, 'not_found', `"${name}" names a record that does not exist.`);
    }
  }
}

function titleOf(body: Booking, type: TypeRules | null): string {
  const title = body.title ?? type?.name;
  if (title === undefined) {
    const message = 'title is required without a type';
    fail('validation_error', `${message}.`, {
      missing: ['title'],
      details: [{ field: 'title', code: 'required', message }],
    });
  }
  return title;
}

function firstStatus(asked: MeetingStatus | undefined, type: TypeRules | null): MeetingStatus {
  const allowed = ['pending', 'scheduled'] as const;
  if (asked === undefined) return type?.requires_confirmation ? 'pending' : 'scheduled';
  if (asked !== 'pending' && asked !== 'scheduled')
    invalid('status', 'invalid_transition', `A meeting does not begin as ${asked}.`, {
      from: null,
      to: asked,
      allowed,
    });
  return asked;
}

/** The constraint has the last word on double bookings, whoever writes. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof ApiError ||
      sqlState(error) !== '23P01' ||
      !violatedConstraint(error)?.startsWith('ex_meeting_hosts')
    )
      throw error;
    invalid('starts_at', 'slot_unavailable', 'The time is already taken.');
  }
}
