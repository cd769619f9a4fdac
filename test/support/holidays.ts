/** A calendar of these lines of events, in the form of RFC 5545. */
export function calendarOf(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event, index) => [
    'BEGIN:VEVENT',
    ...(event.some((line) => line.startsWith('UID')) ? [] : [`UID:${index}@calendar.example`]),
    'DTSTAMP:20260101T000000Z',
    ...event,
    'END:VEVENT',
  ]);
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//Holidays//EN', ...lines, 'END:VCALENDAR', ''];
  return all.join('\r\n');
}

/** A calendar of single whole days, `YYYYMMDD`, with their names. */
export function wholeDays(...days: readonly (readonly [day: string, name: string])[]): string {
  return calendarOf(...days.map(([day, name]) => [`DTSTART;VALUE=DATE:${day}`, `SUMMARY:${name}`]));
}
