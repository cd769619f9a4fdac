import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let shelf: Fields;
let cellar: Fields;
/** What there is, by name. */
const articles: Record<string, number> = {};
let guest: Person;
let light: Person;
let agent: Person;

beforeAll(async () => {
  home = await makeWorkspace(server);
  shelf = await make(home.api, '/kb/categories');
  cellar = await make(home.api, '/kb/categories', { visibility: 'internal' });
  const published = { status: 'published', category_id: shelf.id };
  const all = {
    public: published,
    customers: { ...published, visibility: 'customers' },
    internal: { ...published, visibility: 'internal' },
    below: { ...published, category_id: cellar.id },
    draft: { category_id: shelf.id },
  };
  for (const [name, body] of Object.entries(all)) {
    const text = { title: `Narwhal ${name}`, body: `All about the narwhal, ${name}.` };
    articles[name] = (await home.api.post('/kb/articles', { ...text, ...body })).expect(201).data.id;
  }
  const role = await make(home.api, '/roles', {
    permissions: ['kb.read', 'kb.feedback', 'stats.read', 'tickets.read'],
  });
  guest = await makePerson(server, home, { role_id: role.id });
  light = await makePerson(server, home, { role: 'light_agent' });
  agent = await makePerson(server, home);
});

const named = (...names: string[]): number[] => names.map((name) => articles[name] ?? 0).sort((a, b) => a - b);
const idsOf = (rows: readonly Fields[]): number[] => rows.map(({ id }) => id).sort((a, b) => a - b);

/** Without `kb.internal` and `kb.drafts`, without `kb.drafts`, with both. */
const cases = (): [Person, number[]][] => [
  [guest, named('public', 'customers')],
  [light, named('public', 'customers', 'internal', 'below')],
  [agent, named('public', 'customers', 'internal', 'below', 'draft')],
];

it.each([
  '/kb/articles',
  '/kb/articles?q=narwhal',
  '/kb/articles?sort=title&fields=id',
  '/kb/articles?status=published,draft',
])('%s lists and counts what one may see', async (path) => {
  for (const [{ api }, seen] of cases()) {
    const answer = (await api.get(path)).expect(200);
    expect([idsOf(answer.rows), answer.meta.total]).toEqual([seen, seen.length]);
  }
});

it('what one may not see is not there: by id, with its versions and feedback, and to be changed', async () => {
  for (const [{ api }, seen] of cases())
    for (const id of Object.values(articles)) {
      const status = seen.includes(id) ? 200 : 404;
      for (const rest of ['', '/versions', '/versions/1', '/feedback'])
        (await api.get(`/kb/articles/${id}${rest}`)).expect(status);
      (await api.post(`/kb/articles/${id}/view`, { count: 1 })).expect(status);
    }
});

it('is expanded, counted and searched accordingly', async () => {
  for (const [{ api }, seen] of cases()) {
    const { data } = (await api.get(`/kb/categories/${shelf.id}?expand=articles`)).expect(200);
    const onShelf = seen.filter((id) => id !== articles['below']);
    expect([idsOf(data.articles as Fields[]), data.article_count]).toEqual([onShelf, onShelf.length]);
    const search = (await api.get('/search?q=narwhal&types=kb_articles')).expect(200);
    const found = search.body.data as { kb_articles: Fields[] };
    expect([idsOf(found.kb_articles), (search.meta.totals as { kb_articles: number }).kb_articles]).toEqual([
      seen,
      seen.length,
    ]);
  }
  const counted = (await guest.api.get('/stats')).expect(200).data.resources as Record<string, number>;
  expect(counted).toMatchObject({ kb_articles: 2, companies: 0 });
});

it('internal categories are shown to those who see what is in them', async () => {
  expect(idsOf((await guest.api.get('/kb/categories')).expect(200).rows)).not.toContain(cellar.id);
  (await guest.api.get(`/kb/categories/${cellar.id}`)).expect(404);
  expect(idsOf((await light.api.get('/kb/categories')).expect(200).rows)).toContain(cellar.id);
});

it('drafts of what was published are seen by their versions only by who may', async () => {
  const body = { title: 'Twice', body: 'First.', status: 'published' };
  const { id } = (await home.api.post('/kb/articles', body)).expect(201).data;
  (await home.api.patch(`/kb/articles/${id}`, { status: 'draft', body: 'Second, not yet.' })).expect(200);
  (await light.api.get(`/kb/articles/${id}`)).expect(404);
  (await agent.api.get(`/kb/articles/${id}/versions/2`)).expect(200);
  for (const status of ['in_review', 'published']) (await home.api.patch(`/kb/articles/${id}`, { status })).expect(200);
  (await light.api.get(`/kb/articles/${id}/versions/2`)).expect(200);
});
