import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { hoursOf, hoursOfAgents, inactiveAmong, type UserHours } from '../../users/user-lookup';
import { MAX_BUFFER, MAX_DURATION, MAX_HOSTS } from '../meeting-values';
import type { MeetingType } from '../types/meeting-type.entity';
import type { Interval } from './intervals';

const MINUTE_MS = 60_000;
/** No meeting begins earlier than this before it ends, buffers included. */
const LONGEST_MS = (MAX_DURATION + 2 * MAX_BUFFER) * MINUTE_MS;
/** Days of which round robin counts the meetings. */
const FAIR_DAYS = 30;

/** A user who can be met. */
export type Host = UserHours;

/** Rules of a type, as stored. */
export type TypeRules = Pick<
  MeetingType,
  | 'id'
  | 'name'
  | 'duration_minutes'
  | 'slot_interval_minutes'
  | 'buffer_before_minutes'
  | 'buffer_after_minutes'
  | 'minimum_notice_minutes'
  | 'booking_window_days'
  | 'max_per_day'
  | 'location_type'
  | 'requires_confirmation'
  | 'scheduling'
  | 'host_ids'
  | 'schedule'
  | 'seats'
  | 'is_active'
>;

/** What takes a host's time; moments in ms. */
export interface Engagements {
  busy: Interval[];
  /** Starts of the meetings of the type asked for that count for their day, taken time or not. */
  ofType: number[];
}

/** A meeting with free seats. */
export interface OpenSeats {
  id: number;
  start: number;
  host_ids: number[];
  attendees: number;
}

/** What takes a host's time, in seconds since 1970. */
interface HostRow {
  host_id: number;
  begins: number[] | null;
  ends: number[] | null;
  of_type: number[] | null;
}

/** Reads users, types and who is engaged when, inside the current unit of work. */
@Injectable()
export class HostBook {
  /** Types by the unit of work that has read them: a booking looks at its type more than once. */
  private readonly types = new WeakMap<object, Map<number, TypeRules | undefined>>();

  constructor(private readonly database: Database) {}

  async type(id: number): Promise<TypeRules | undefined> {
    const unit = current().transaction;
    const known = (unit ? this.types.get(unit) : undefined) ?? new Map<number, TypeRules | undefined>();
    if (unit) this.types.set(unit, known);
    if (!known.has(id)) known.set(id, await this.readType(id));
    return known.get(id);
  }

  /** The named users, in that order; those unknown are left out. */
  async named(ids: readonly number[]): Promise<Host[]> {
    return hoursOf(this.database, ids);
  }

  /** Anybody who could be met: the first active agents of the workspace. */
  async anybody(): Promise<Host[]> {
    return hoursOfAgents(this.database, MAX_HOSTS);
  }

  /** Waits for other bookings of these hosts, and keeps them out until the end of the transaction; always in one order. */
  async hold(hostIds: readonly number[]): Promise<void> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('meeting_host:' || h.id, $1::bigint)) FROM unnest($2::bigint[]) AS h (id)`,
      [currentWorkspaceId(), hostIds.toSorted((left, right) => left - right)],
    );
  }

  /** The hosts stay active until the end of the transaction; 422 when one has left since it was looked at. */
  async keep(hostIds: readonly number[]): Promise<void> {
    const [gone] = await inactiveAmong(this.database, hostIds);
    if (gone) invalid('host_id', 'inactive', `User ${gone.id} is ${gone.status} and takes no meetings.`);
  }

  /**
   * What takes the hosts' time in `[from, to)`, in one statement, by index.
   *
   * @param typeId whose meetings count for the day
   * @param except a meeting that is being moved
   */
  async engagements(
    hostIds: readonly number[],
    from: number,
    to: number,
    typeId: number | null,
    except: number | null,
  ): Promise<Map<number, Engagements>> {
    const epochs = (column: string, filter: string): string =>
      `json_agg(date_part('epoch', ${column})) FILTER (WHERE ${filter})`;
    const text = `
      SELECT host_id, ${epochs('blocked_from', 'holds')} AS begins, ${epochs('blocked_until', 'holds')} AS ends,
        ${epochs('starts_at', 'type_id = $5')} AS of_type
      FROM meeting_hosts
      WHERE workspace_id = $1 AND host_id = ANY($2::bigint[]) AND counts AND blocked_from >= $3 AND blocked_from < $4
        AND meeting_id IS DISTINCT FROM $6
      GROUP BY host_id`;
    const values = [
      currentWorkspaceId(),
      hostIds,
      new Date(from - LONGEST_MS).toISOString(),
      new Date(to).toISOString(),
      typeId,
      except,
    ];
    const rows = await this.database.read<HostRow>({ text, values });
    return new Map(
      rows.map(({ host_id, begins, ends, of_type }) => {
        const until = moments(ends);
        const busy = moments(begins).map((begin, index): Interval => [begin, until[index] ?? begin]);
        return [host_id, { busy, ofType: moments(of_type) }];
      }),
    );
  }

  /** Meetings of the type in `[from, to)` that somebody else can still join. */
  async openSeats(type: TypeRules, from: number, to: number): Promise<OpenSeats[]> {
    const rows = await this.database.query<{ id: number; starts_at: string; host_ids: number[]; attendees: number }>(
      `SELECT id, starts_at, to_json(host_ids) AS host_ids, jsonb_array_length(attendees) AS attendees FROM meetings
       WHERE workspace_id = $1 AND type_id = $2 AND starts_at >= $3 AND starts_at < $4 AND status IN ('pending', 'scheduled')
         AND duration_minutes = $5 AND jsonb_array_length(attendees) < $6
       ORDER BY starts_at, id`,
      [
        currentWorkspaceId(),
        type.id,
        new Date(from).toISOString(),
        new Date(to).toISOString(),
        type.duration_minutes,
        type.seats,
      ],
    );
    return rows.map(({ starts_at, ...row }) => ({ ...row, start: Date.parse(starts_at) }));
  }

  /** Whose turn it is: who has the fewest such meetings of the last 30 days and to come; then who was booked longest ago. */
  async byTurn(hostIds: readonly number[], typeId: number | null): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `SELECT h.id FROM unnest($2::bigint[]) WITH ORDINALITY AS h (id, place)
       LEFT JOIN LATERAL (
         SELECT count(*) AS n, max(meeting_id) AS last FROM meeting_hosts m
         WHERE m.workspace_id = $1 AND m.host_id = h.id AND m.counts AND m.blocked_from > now() - interval '${FAIR_DAYS} days'
           AND ($3::bigint IS NULL OR m.type_id = $3)
       ) m ON true ORDER BY m.n, m.last NULLS FIRST, h.place`,
      [currentWorkspaceId(), hostIds, typeId],
    );
    return rows.map(({ id }) => id);
  }

  private async readType(id: number): Promise<TypeRules | undefined> {
    const [row] = await this.database.query<TypeRules>(
      `SELECT id, name, duration_minutes, slot_interval_minutes, buffer_before_minutes, buffer_after_minutes,
         minimum_notice_minutes, booking_window_days, max_per_day, location_type, requires_confirmation, scheduling,
         to_json(host_ids) AS host_ids, schedule, seats, is_active
       FROM meeting_types WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id],
    );
    return row;
  }
}

/** Seconds since 1970 with a fraction, as PostgreSQL gives them, in ms: JSON of numbers is what it writes fastest. */
function moments(seconds: readonly number[] | null): number[] {
  return (seconds ?? []).map((each) => Math.round(each * 1_000));
}
