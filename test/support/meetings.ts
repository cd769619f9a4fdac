import ICAL from 'ical.js';
import type { Host, TypeRules } from '../../src/areas/meetings/availability/host-book';

/** A host in Berlin without hours of their own. */
export const host = (more: Partial<Host> = {}): Host => ({
  id: 1,
  name: 'Ines',
  status: 'active',
  timezone: 'Europe/Berlin',
  schedule: null,
  out_of_office: null,
  ...more,
});

/** A type of an hour, without further rules. */
export const type = (more: Partial<TypeRules> = {}): TypeRules => ({
  id: 1,
  name: 'Call',
  duration_minutes: 60,
  slot_interval_minutes: null,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  minimum_notice_minutes: 0,
  booking_window_days: 60,
  max_per_day: null,
  location_type: 'video',
  requires_confirmation: false,
  scheduling: 'round_robin',
  host_ids: [],
  schedule: null,
  seats: 1,
  is_active: true,
  ...more,
});

interface Wall {
  day: string;
  weekday: string;
  minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const walls = new Map<string, Wall>();

/** The clock on the wall, by what the runtime knows of zones. */
export function wall(moment: number, zone: string): Wall {
  const key = `${zone}/${moment}`;
  const known = walls.get(key) ?? readWall(moment, zone);
  walls.set(key, known);
  return known;
}

function readWall(moment: number, zone: string): Wall {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(moment).map(({ type: name, value }) => [name as string, value]));
  const part = (name: string): string => parts.get(name) ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').toLowerCase(),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** `09:05` of minutes since midnight. */
export const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The one event of a calendar file, as an independent reader understands it. */
export function readCalendar(text: string | null) {
  const calendar = new ICAL.Component(ICAL.parse(text ?? '') as unknown[]);
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('No event in the calendar file.');
  const event = new ICAL.Event(component);
  return { method: calendar.getFirstPropertyValue('method'), component, event };
}
