import { type Document, operationsOf } from './document';

/** The subjects of the API in the order of its specification; every operation belongs to one. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Tickets', 'Requests for help: their life, comments, batches, history, SLA clocks and ratings.'],
  ['Companies', 'Organisations that requesters belong to.'],
  ['Contacts', 'People who ask for help.'],
  ['Users', 'People who help: agents, supervisors and administrators.'],
  ['Teams', 'Groups of users that tickets are assigned to.'],
  ['Categories', 'What tickets are about, as a tree.'],
  [
    'Assets',
    'Devices, licences and other things that tickets concern: who holds them, where they are, what happened to them.',
  ],
  ['SLA', 'Policies that say how fast tickets are answered and resolved, and how well that is kept.'],
  ['Automations', 'Rules that act on tickets by themselves, and the log of what they did.'],
  ['Integrations', 'Chat, mail and other services that hear of events or bring tickets in.'],
  ['Webhooks', 'Signed deliveries of events to addresses of your own.'],
  ['CRM', 'Leads, deals, and the pipelines and stages that deals move through.'],
  ['Meetings', 'Appointments with requesters: types, free slots, bookings and invitations.'],
  ['Knowledge base', 'Articles that answer questions before they are asked: versions, languages, feedback.'],
  ['Quotes', 'Offers with items, taxes and discounts, as PDF and as a page that customers can accept.'],
  ['Search', 'One question to everything at once.'],
  ['Events', 'The log of everything that happened, in order.'],
  ['Audit log', 'Who did what, kept for as long as the plan says.'],
  ['Meta', 'The service itself, the identity of the token, and figures of the workspace.'],
];

const rank = (name: string): number => {
  const place = TAGS.findIndex(([tag]) => tag === name);
  return place === -1 ? TAGS.length : place;
};

/** Puts tags and paths into the order of the specification, Tickets first. */
export function arrange(document: Document): void {
  const operations = operationsOf(document);
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  const unknown = [...used].filter((name) => rank(name) === TAGS.length).sort();
  document.tags = [
    ...TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description })),
    ...unknown.map((name) => ({ name })),
  ];
  const place = new Map<string, number>();
  for (const { path, operation } of operations)
    place.set(path, Math.min(place.get(path) ?? TAGS.length, rank(operation.tags?.[0] ?? '')));
  const paths = Object.entries(document.paths).sort(
    ([a], [b]) => (place.get(a) ?? 0) - (place.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  document.paths = Object.fromEntries(paths);
}
