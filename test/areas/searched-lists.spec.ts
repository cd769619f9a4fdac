import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

const DRAGON = { custom_fields: { badge: 'Ember Dragon' } };
const TARGET = { first_response_minutes: 5, resolution_minutes: 50 };
const HOOK = 'https://hooks.acme.example/pelican/in';

/** A path to make a record at (its list is at the same, or at `list`), with one word of its own among its texts. */
const LISTS: readonly { path: string; list?: string; word: string; body: object }[] = [
  {
    path: '/sla',
    word: 'heron',
    body: {
      name: 'Gold',
      description: 'Only for Herons',
      targets: Object.fromEntries(['urgent', 'high', 'medium', 'low'].map((priority) => [priority, TARGET])),
    },
  },
  {
    path: '/automations',
    word: 'osprey',
    body: { name: 'Osprey rule', trigger: { event: 'ticket.created' }, actions: [{ type: 'add_tags', tags: 'a' }] },
  },
  { path: '/webhooks', word: 'pelican', body: { url: HOOK, events: ['ticket.created'] } },
  {
    path: '/integrations',
    word: 'wren',
    body: { provider: 'webhook', name: 'Wren Feed', config: { url: HOOK, secret: 'a-secret-of-the-feed-itself' } },
  },
  {
    path: '/mail-templates',
    word: 'wachtel',
    body: { kind: 'rating_request', language: 'de', subject: 'Wachtel: wie war es?', body: 'Bitte sagen Sie es uns.' },
  },
  {
    path: '/report-schedules',
    word: 'magpie',
    body: {
      name: 'Magpie report',
      report: 'sla',
      period: 'yesterday',
      schedule: 'daily',
      recipients: ['a@acme.example'],
    },
  },
  { path: '/migration/jobs', word: 'stork', body: { name: 'Stork move', source: 'csv' } },
  { path: '/active-directory/connections', word: 'plover', body: { type: 'json', name: 'Plover office' } },
];

it.each(LISTS)('$path are found by their words (q)', async ({ path, word, body }) => {
  const { api } = await makeWorkspace(server);
  const made = (await api.post(path, { ...body, ...DRAGON })).expect(201).data;
  const found = async (q: string): Promise<unknown[]> => {
    const { rows, meta } = (await api.get(`${path}?q=${encodeURIComponent(q)}`)).expect(200);
    expect(meta.total).toBe(rows.length);
    return rows.map(({ id }) => id);
  };
  for (const q of [word, word.slice(0, 3).toUpperCase(), `dragon ${word}`, 'ember'])
    expect(await found(q)).toContain(made.id);
  expect(await found(`${word} zeppelin`)).toEqual([]);
  const stranger = await makeWorkspace(server);
  expect((await stranger.api.get(`${path}?q=${word}`)).expect(200).rows).toEqual([]);
});

it('stages are found by their names', async () => {
  const { api } = await makeWorkspace(server);
  const { id } = (await api.post('/crm/pipelines', { name: 'Falconry' })).expect(201).data;
  const made = (await api.post(`/crm/pipelines/${id}/stages`, { name: 'Kestrel talks', probability: 20 })).expect(201);
  for (const list of ['/crm/stages', `/crm/pipelines/${id}/stages`]) {
    const { rows } = (await api.get(`${list}?q=kestr`)).expect(200);
    expect(rows.map((row) => row.id)).toEqual([made.data.id]);
  }
});
