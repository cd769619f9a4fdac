import createClient from 'openapi-fetch';
import type { components, paths } from './generated.js';

type Ticket = components['schemas']['Ticket'];

const line = (ticket: Ticket): string => `${ticket.code} ${ticket.priority} ${ticket.tags.split(',').length}`;

/** What somebody writes who has read the documentation and nothing else. Answers what it saw. */
export async function program(baseUrl: string, token: string): Promise<Record<string, unknown>> {
  const client = createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${token}` },
  });
  const created = await client.POST('/tickets', {
    body: { subject: 'The printer is jammed', description: 'On floor 3.', tags: ['printer', 'floor-3'] },
  });
  if (!created.data) throw new Error(created.error.error.message);
  const { id } = created.data.data;

  const changed = await client.PATCH('/tickets/{id}', { params: { path: { id } }, body: { priority: 'high' } });
  if (changed.error) throw new Error(changed.error.error.message);
  const { description, tags, status }: Ticket = changed.data.data;

  const listed = await client.GET('/tickets', {
    params: { query: { status: ['open', 'in_progress'], priority: ['high'], sort: '-created_at', per_page: 10 } },
  });
  const lines = (listed.data?.data ?? []).map(line);
  const total = listed.data?.meta.total;

  const expanded = await client.GET('/tickets/{id}', {
    params: { path: { id }, query: { expand: ['company', 'comments'] } },
  });
  const company = expanded.data?.data.company?.name ?? 'none';
  const comments = expanded.data?.data.comments?.map(({ body }) => body.length) ?? [];

  const refused = await client.PATCH('/tickets/{id}', {
    params: { path: { id: 999_999_999 } },
    body: { subject: 'x' },
  });
  const problem = refused.error?.error.type;

  const batch = await client.POST('/tickets/batch', {
    body: {
      mode: 'atomic',
      operations: [
        { ref: 'a', op: 'create', data: { subject: 'New laptop' } },
        { op: 'comment', id: '$a', data: { body: 'Ordered.', is_internal: true } },
        { op: 'assign', id, data: { user_id: null } },
      ],
    },
  });
  const results = batch.data?.data.results.map((result) =>
    result.op === 'comment' ? result.data?.body : result.data?.subject,
  );
  return { description, tags, status, lines, total, company, comments, problem, results };
}

const [url = '', token = ''] = process.argv.slice(2);
console.log(JSON.stringify(await program(url, token)));
