import { createClient } from './generated/client/index.js';
import { ticketsBatch, ticketsCreate, ticketsGet, ticketsList, ticketsUpdate, type Ticket } from './generated/index.js';

const line = (ticket: Ticket): string => `${ticket.code} ${ticket.priority} ${ticket.tags.split(',').length}`;

/** What was answered to a request without `fields`: the type knows sparse answers too, which have no `data` of their own. */
function whole<T extends object>(answer: T | undefined): Extract<T, { data: unknown }> {
  if (!answer || !('data' in answer)) throw new Error('The request was refused.');
  return answer as Extract<T, { data: unknown }>;
}

/** The same as openapi-fetch.ts, by the functions that @hey-api/openapi-ts makes. */
export async function program(baseUrl: string, token: string): Promise<Record<string, unknown>> {
  const client = createClient({ baseUrl, auth: token });
  const created = await ticketsCreate({
    client,
    body: { subject: 'The printer is jammed', description: 'On floor 3.', tags: ['printer', 'floor-3'] },
  });
  const { id } = whole(created.data).data;

  const changed = await ticketsUpdate({ client, path: { id }, body: { priority: 'high' } });
  const { description, tags, status }: Ticket = whole(changed.data).data;

  const listed = await ticketsList({
    client,
    query: { status: ['open', 'in_progress'], priority: ['high'], sort: '-created_at', per_page: 10 },
  });
  const { data, meta } = whole(listed.data);
  const lines = data.map(line);

  const expanded = await ticketsGet({ client, path: { id }, query: { expand: ['company', 'comments'] } });
  const { company, comments } = whole(expanded.data).data;

  const refused = await ticketsUpdate({ client, path: { id: 999_999_999 }, body: { subject: 'x' } });
  const problem = refused.error?.error.type;

  const batch = await ticketsBatch({
    client,
    body: {
      mode: 'atomic',
      operations: [
        { ref: 'a', op: 'create', data: { subject: 'New laptop' } },
        { op: 'comment', id: '$a', data: { body: 'Ordered.', is_internal: true } },
        { op: 'assign', id, data: { user_id: null } },
      ],
    },
  });
  const results = batch.data?.data.results.map(({ op, ok }) => (ok ? op : 'failed'));
  return {
    description,
    tags,
    status,
    lines,
    total: meta.total,
    company: company?.name ?? 'none',
    comments: comments?.map(({ body }) => body.length) ?? [],
    problem,
    results,
  };
}

const [url = '', token = ''] = process.argv.slice(2);
console.log(JSON.stringify(await program(url, token)));
