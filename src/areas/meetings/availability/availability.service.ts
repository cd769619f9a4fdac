import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { clockMs } from '../../../platform/context/clock';
import { currentAccess } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type AvailabilityQuery, availabilityWindow } from './availability-query';
import { LocalClock, localDays } from './local-days';
import { type OfferedSlot, SlotFinder } from './slot-finder';
import { AnyMember, IntegerMember, ListMember, MomentMember, TextMember } from '../../../platform/http/answer-members';

/** A slot as answered: UTC, and the wall clock of the time zone asked for. */
export class AvailabilitySlot {
  @MomentMember()
  starts_at: string;

  @MomentMember()
  ends_at: string;

  @MomentMember({ description: 'In the time zone asked for, with its offset.' })
  local_starts_at: string;

  @MomentMember()
  local_ends_at: string;

  @AnyMember(
    { type: 'array', items: { type: 'integer', format: 'int64' } },
    { description: 'Who is free then; with `collective` everybody who takes part.' },
  )
  host_ids: readonly number[];

  @IntegerMember({ required: false, description: 'With types of more than one seat: how many can still come.' })
  seats_left?: number;
}

/** Answer of `GET /meetings/availability`. */
export class Availability {
  @TextMember({ example: 'Europe/Berlin' })
  timezone: string;

  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @IntegerMember()
  duration_minutes: number;

  @ListMember(() => AvailabilitySlot)
  slots: AvailabilitySlot[];

  @AnyMember(
    { type: 'object', additionalProperties: { type: 'array', items: { type: 'string', format: 'date-time' } } },
    {
      description: 'The `local_starts_at` of the slots by local date.',
      example: { '2026-10-20': ['2026-10-20T09:00:00.000+02:00'] },
    },
  )
  days: Record<string, string[]>;
}

const MINUTE_MS = 60_000;

/** When somebody can be met. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly database: Database,
    private readonly finder: SlotFinder,
  ) {}

  async find(query: AvailabilityQuery): Promise<Availability> {
    const { timezone, from, to } = availabilityWindow(query, currentAccess().workspace.timezone, clockMs());
    return this.database.transaction(async () => {
      const offer = await this.finder.offer(query.type_id ?? null, query.host_id ?? null, query.duration_minutes);
      const found = await this.finder.slots(offer, from, to);
      const { duration } = offer.rules;
      const slots = shown(found, duration, timezone, from, to);
      return {
        timezone,
        from: localText(from, timezone),
        to: localText(to, timezone),
        duration_minutes: duration / MINUTE_MS,
        slots,
        days: byDay(slots),
      };
    });
  }
}

function localText(moment: number, zone: string): string {
  return DateTime.fromMillis(moment, { zone }).toISO({ includeOffset: true }) ?? '';
}

function shown(
  found: readonly OfferedSlot[],
  duration: number,
  zone: string,
  from: number,
  to: number,
): AvailabilitySlot[] {
  const days = localDays(zone, from, to + duration);
  const [starts, ends] = [new LocalClock(zone, days), new LocalClock(zone, days)];
  return found.map(({ start, hosts, seats }) => ({
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + duration).toISOString(),
    local_starts_at: starts.text(start),
    local_ends_at: ends.text(start + duration),
    host_ids: hosts,
    ...(seats === undefined ? {} : { seats_left: seats }),
  }));
}

function byDay(slots: readonly AvailabilitySlot[]): Record<string, string[]> {
  const days: Record<string, string[]> = {};
  for (const { local_starts_at: text } of slots) (days[text.slice(0, 10)] ??= []).push(text);
  return days;
}
