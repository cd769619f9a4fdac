import { eventCatalogue, installEvents } from '../../src/platform/events/event-catalogue';

it('members beside a record have no name of the record, and belong to a type', () => {
  const spec = { domain: 'door', label: 'Doors', events: { 'door.opened': 'A door was opened.' } };
  const wrong: Record<string, Record<string, unknown>>[] = [
    { 'door.opened': { object: 'key' } },
    { 'door.opened': { door: 1 } },
    { 'door.shut': { key: 1 } },
  ];
  const before = eventCatalogue();
  for (const beside of wrong) expect(() => installEvents([{ ...spec, beside }])).toThrow(/beside/);
  // Whatever is running in this process goes on with its own.
  expect(eventCatalogue()).toEqual(before);
  expect(before.map(({ domain }) => domain)).not.toContain('door');
});
