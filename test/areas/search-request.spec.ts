import { allOperations } from '../support/operations';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { found, idsOf } from '../support/search';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  for (let serial = 1; serial <= 25; serial++) await makeTicket(workspace.api, { subject: `Quartzite ${serial}` });
});

/** A search for a text that is refused. */
const asked = (q: string): [query: string, field: string, code: string] => [`?q=${encodeURIComponent(q)}`, 'q', 'min'];

describe('the parameters', () => {
  it.each<[query: string, field: string, code: string]>([
    ['', 'q', 'required'],
    ['?q=', 'q', 'min'],
    ['?q=%20x%20', 'q', 'min'],
    ['?q=%F0%9F%98%80', 'q', 'min'],
    ...['%%%%', '"""', "''", '\\\\', '&|!()', ':*', '--'].map(asked),
    [`?q=${'x'.repeat(256)}`, 'q', 'max'],
    ['?q=printer&limit=0', 'limit', 'min'],
    ['?q=printer&limit=21', 'limit', 'max'],
    ['?q=printer&limit=5.5', 'limit', 'type'],
    ['?q=printer&limit=', 'limit', 'type'],
    ['?q=printer&limit=99999999999999999999', 'limit', 'type'],
    ['?q=printer&types=assets', 'types', 'enum'],
    ['?q=printer&types=', 'types', 'enum'],
    ['?q=printer&types=tickets,', 'types', 'enum'],
  ])('%s: 422 for %s (%s)', async (query, field, code) => {
    const answer = (await workspace.api.get(`/search${query}`)).expect(422);
    expect(answer.error.type).toBe('validation_error');
    expect(answer.codes).toEqual({ [field]: code });
  });

  it('take the longest text, and the space around one away', async () => {
    await found(workspace.api, 'x'.repeat(255));
    await found(workspace.api, '漢'.repeat(255));
    expect((await found(workspace.api, '  quartzite ')).meta.query).toBe('quartzite');
  });

  it('need a token', async () => {
    const response = await fetch(`${server.url}/v1/search?q=printer`);
    expect(response.status).toBe(401);
    expect((await workspace.readApi.get('/search?q=printer')).status).toBe(200);
  });
});

describe('limit and types', () => {
  it('bound each group, while totals count everything', async () => {
    for (const [more, length] of [
      ['', 5],
      ['&limit=1', 1],
      ['&limit=20', 20],
    ] as const) {
      const { data, meta } = await found(workspace.api, 'quartzite', more);
      expect([data.tickets?.length, meta.totals]).toEqual([
        length,
        expect.objectContaining({ tickets: 25, companies: 0, users: 0, kb_articles: 0 }),
      ]);
    }
  });

  it('make a shorter answer the beginning of a longer one', async () => {
    const whole = await idsOf(workspace.api, 'quartzite', 'tickets');
    const { data } = await found(workspace.api, 'quartzite', '&limit=7');
    expect(data.tickets?.map(({ id }) => id)).toEqual(whole.slice(0, 7));
    expect(whole).toEqual([...whole].sort((a, b) => b - a));
  });

  it('leave groups out', async () => {
    const { data, meta } = await found(workspace.api, 'quartzite', '&types=users,tickets,users');
    expect(Object.keys(data)).toEqual(['tickets', 'users']);
    expect(meta.totals).toEqual({ tickets: 25, users: 0 });
  });
});

describe('articles', () => {
  it('are found with their status, published ones first', async () => {
    const make = async (title: string, body: string): Promise<number> =>
      (await workspace.api.post('/kb/articles', { title, body })).expect(201).data.id;
    const draft = await make('Care of the harpsichord', 'Dust it **weekly**.');
    const live = await make('Tuning', 'A <b>harpsichord</b> needs [tuning](https://example.org) every month.');
    (await workspace.api.patch(`/kb/articles/${live}`, { status: 'in_review' })).expect(200);
    (await workspace.api.patch(`/kb/articles/${live}`, { status: 'published' })).expect(200);
    const { data, meta } = await found(workspace.api, 'harpsichord');
    expect(meta.totals).toMatchObject({ kb_articles: 2 });
    expect(data.kb_articles?.map(({ id, status }) => [id, status])).toEqual([
      [live, 'published'],
      [draft, 'draft'],
    ]);
    expect(data.kb_articles?.[0]).toMatchObject({
      type: 'kb_article',
      title: 'Tuning',
      slug: 'tuning',
      url: `${server.url}/v1/kb/articles/${live}`,
    });
    expect(data.kb_articles?.[0]?.snippet).toContain('<mark>harpsichord</mark>');
    expect(data.kb_articles?.[1]?.snippet).toContain('Dust it weekly.');
  });

  it('have words of their own that are no mistakes', async () => {
    await makeTicket(workspace.api, { subject: 'Stroboscopes' });
    (await workspace.api.post('/kb/articles', { title: 'Stroboscop', body: 'So it is called here.' })).expect(201);
    const { data, meta } = await found(workspace.api, 'stroboscop', '&types=companies,users,kb_articles');
    expect(data.kb_articles).toHaveLength(1);
    expect(meta.corrected).toBeUndefined();
  });
});

describe('another workspace', () => {
  it('never lends words, totals or corrections', async () => {
    const other = await makeWorkspace(server);
    await makeTicket(other.api, { subject: 'Theremin', requester_email: 'theremin@secret.example' });
    await other.api.post('/companies', { name: 'Theremin Works', domains: ['theremin.example'] });
    await other.api.post('/users', { name: 'Thea Remin', email: 'theremin@staff.example' });
    await other.api.post('/kb/articles', { title: 'Theremin', body: 'Theremin' });
    const texts = [
      'theremin',
      'theremni',
      'thermein',
      'theremin@secret.example',
      'theremin@staff.example',
      'thea remin',
    ];
    for (const text of texts) {
      const { data, meta } = await found(workspace.api, text);
      expect([text, Object.values(data).flat(), meta.totals]).toEqual([
        text,
        [],
        expect.objectContaining({ tickets: 0, companies: 0, users: 0, kb_articles: 0 }),
      ]);
      expect(new Set(Object.values(meta.totals as object))).toEqual(new Set([0]));
      expect(meta.corrected).toBeUndefined();
      // A lexeme carries its workspace: no text can name another one's.
      expect(await idsOf(workspace.api, `${other.id}:theremin`, 'tickets')).toEqual([]);
    }
    expect((await found(other.api, 'theremni')).meta.totals).toMatchObject({ tickets: 1, companies: 1, users: 1 });
  });
});

it('is documented as it answers', async () => {
  const operation = (await allOperations()).find(({ method, path }) => method === 'GET' && path === '/search');
  expect(operation?.query.toSorted()).toEqual(['limit', 'q', 'types']);
});
