import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from '../support/api';
import { insist } from '../support/insist';

const app = useApp({ role: 'api' });

let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(app);
});

async function article(fields: Record<string, unknown> = {}): Promise<Fields> {
  return (await home.api.post('/kb/articles', { title: 'Guide', body: 'Text', ...fields })).expect(201).data;
}

const patch = async (id: number, fields: Record<string, unknown>): Promise<Fields> =>
  (await home.api.patch(`/kb/articles/${id}`, fields)).expect(200).data;

describe('an article', () => {
  it('begins as a draft of version 1 that nobody reads', async () => {
    expect(await article()).toMatchObject({
      status: 'draft',
      publish_mode: 'direct',
      visibility: 'public',
      language: 'en',
      author_id: null,
      ai_enabled: true,
      is_pinned: false,
      company_ids: [],
      version_number: 1,
      live_version: null,
      published_at: null,
      view_count: 0,
      helpful_pct: null,
    });
  });

  it('belongs to the user of the token unless told otherwise', async () => {
    const { id } = (await home.api.post('/users', { name: 'Ann', email: 'ann@example.com' })).expect(201).data;
    const { token } = await app.app.get(Tokens).create({ workspaceId: home.id, scopes: ['*'], userId: id });
    const ann = new Api(app.url, token);
    expect((await ann.post('/kb/articles', { title: 'Mine', body: 'x' })).expect(201).data.author_id).toBe(id);
    const none = await ann.post('/kb/articles', { title: 'Nobody’s', body: 'x', author_id: null });
    expect(none.expect(201).data.author_id).toBeNull();
    const { rows } = (await ann.get('/kb/articles?author_id=me')).expect(200);
    expect(rows.map(({ title }) => title)).toEqual(['Mine']);
  });

  it('takes its body by the name content, too, but not by both', async () => {
    const made = (await home.api.post('/kb/articles', { title: 'Alias', content: '# One' })).expect(201).data;
    expect(made.body).toBe('# One');
    expect(made).not.toHaveProperty('content');
    expect((await patch(made.id, { content: 'Two' })).body).toBe('Two');
    const both = (await home.api.post('/kb/articles', { title: 'Alias', content: 'a', body: 'b' })).expect(422);
    expect(both.codes).toEqual({ content: 'conflict' });
    expect((await home.api.post('/kb/articles', { title: 'Alias', content: 7 })).expect(422).codes).toEqual({
      body: 'type',
    });
    expect((await home.api.post('/kb/articles', { title: 'Alias' })).expect(422).error.missing).toEqual(['body']);
  });

  it('comes last in its category unless given a place', async () => {
    const category = (await home.api.post('/kb/categories', { name: 'Places' })).expect(201).data.id;
    expect((await article({ category_id: category })).position).toBe(1);
    expect((await article({ category_id: category, position: 7 })).position).toBe(7);
    expect((await article({ category_id: category })).position).toBe(8);
  });

  it('writes its language in the canonical form', async () => {
    expect((await article({ language: 'PT-br' })).language).toBe('pt-BR');
    expect((await article({ language: 'zh-hans-CN' })).language).toBe('zh-Hans-CN');
  });

  it.each([
    [{ category_id: 999_999 }, { category_id: 'not_found' }],
    [{ author_id: 999_999 }, { author_id: 'not_found' }],
    [{ source_ticket_id: 999_999 }, { source_ticket_id: 'not_found' }],
    [{ company_ids: [999_999] }, { company_ids: 'not_found' }],
    [{ translation_of_id: 999_999 }, { translation_of_id: 'not_found' }],
    [{ view_count: 7 }, { view_count: 'immutable' }],
    [{ live_version: 1 }, { live_version: 'immutable' }],
  ])('refuses %j', async (fields, codes) => {
    const answer = await home.api.post('/kb/articles', { title: 'Guide', body: 'Text', ...fields });
    expect(answer.expect(422).codes).toEqual(codes);
  });
});

describe('the slug of an article', () => {
  it('is made of the title, numbered where others have it, per language', async () => {
    const titles = { title: 'Größe ändern', language: 'de' };
    expect((await article(titles)).slug).toBe('groesse-aendern');
    expect((await article(titles)).slug).toBe('groesse-aendern-2');
    expect((await article(titles)).slug).toBe('groesse-aendern-3');
    expect((await article({ ...titles, language: 'en' })).slug).toBe('grosse-andern');
    expect((await article({ title: '日本語のガイド', language: 'ja' })).slug).toBe('日本語のガイド');
    expect((await article({ title: '🎉' })).slug).toBe('article');
  });

  it('is unique when given', async () => {
    await article({ slug: 'my-own' });
    const again = await home.api.post('/kb/articles', { title: 'Other', body: 'x', slug: 'my-own' });
    expect(again.expect(422).codes).toEqual({ slug: 'duplicate' });
    expect((await article({ slug: 'my-own', language: 'fr' })).slug).toBe('my-own');
    const other = await article();
    expect((await home.api.patch(`/kb/articles/${other.id}`, { slug: 'my-own' })).expect(422).codes).toEqual({
      slug: 'duplicate',
    });
  });

  it('follows the title until readers know it', async () => {
    const { id } = await article({ title: 'First name' });
    expect((await patch(id, { title: 'Second name' })).slug).toBe('second-name');
    await patch(id, { status: 'in_review' });
    await patch(id, { status: 'published' });
    expect((await patch(id, { title: 'Third name' })).slug).toBe('second-name');
    expect((await patch(id, { slug: '' })).slug).toBe('third-name');
  });

  it('stays when readers know it and the language changes, unless another has it there', async () => {
    const moved = async (more: object): Promise<unknown> => {
      const { id } = await article({ title: 'Named first', status: 'published', ...more });
      await patch(id, { title: 'Named later' });
      return (await patch(id, { language: 'nl' })).slug;
    };
    expect(await moved({ language: 'en' })).toBe('named-first');
    expect(await moved({ language: 'fi' })).toBe('named-later');
    const draft = await article({ title: 'Größe', language: 'en' });
    expect([draft.slug, (await patch(draft.id, { language: 'de' })).slug]).toEqual(['grosse', 'groesse']);
  });

  it('stays as it was chosen, until it is given back', async () => {
    const made = await article({ title: 'Alpha', slug: 'chosen' });
    expect((await patch(made.id, { title: 'Beta' })).slug).toBe('chosen');
    expect((await patch(made.id, { slug: '' })).slug).toBe('beta');
    const echoed = await patch(made.id, { title: 'Gamma', slug: 'beta' });
    expect(echoed.slug).toBe('gamma');
  });

  it('is still unique when many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => insist(() => home.api.post('/kb/articles', { title: 'All at once', body: 'x' }))),
    );
    const slugs = answers.map((answer) => answer.expect(201).data.slug as string).sort();
    expect(slugs).toEqual(['all-at-once', ...[2, 3, 4, 5, 6, 7, 8].map((n) => `all-at-once-${n}`)]);
  });
});

describe('the excerpt of an article', () => {
  it('is the beginning of the text without Markdown, and stays so until it is written', async () => {
    const made = await article({ body: '# Title\n\nSome **bold** text with [a link](https://example.com).' });
    expect(made.excerpt).toBe('Title Some bold text with a link.');
    expect((await patch(made.id, { body: 'Other *words*' })).excerpt).toBe('Other words');
    expect((await patch(made.id, { excerpt: 'My own' })).excerpt).toBe('My own');
    expect((await patch(made.id, { body: 'New words' })).excerpt).toBe('My own');
    expect((await patch(made.id, { excerpt: '' })).excerpt).toBe('New words');
    const long = await article({ body: 'word '.repeat(200) });
    expect((long.excerpt as string).length).toBeLessThanOrEqual(300);
    expect(long.excerpt).toMatch(/word…$/);
  });
});

describe('translations', () => {
  it('name the original, one per language', async () => {
    const original = await article({ title: 'Original' });
    const german = await article({ language: 'de', translation_of_id: original.id });
    const post = async (fields: Record<string, unknown>): Promise<Record<string, string>> =>
      (await home.api.post('/kb/articles', { title: 'T', body: 'x', ...fields })).expect(422).codes;
    expect(await post({ language: 'de', translation_of_id: original.id })).toEqual({ translation_of_id: 'duplicate' });
    expect(await post({ language: 'en', translation_of_id: original.id })).toEqual({ language: 'duplicate' });
    expect(await post({ language: 'fr', translation_of_id: german.id })).toEqual({ translation_of_id: 'chain' });
    const change = async (id: number, fields: Record<string, unknown>): Promise<Record<string, string>> =>
      (await home.api.patch(`/kb/articles/${id}`, fields)).expect(422).codes;
    const another = await article({ language: 'it' });
    expect(await change(original.id, { translation_of_id: another.id })).toEqual({ translation_of_id: 'chain' });
    expect(await change(another.id, { translation_of_id: another.id })).toEqual({ translation_of_id: 'cycle' });
    expect(await change(original.id, { language: 'de' })).toEqual({ language: 'duplicate' });
    expect(await change(german.id, { language: 'en' })).toEqual({ language: 'duplicate' });
    const shown = (await home.api.get(`/kb/articles/${original.id}?expand=translations`)).expect(200).data;
    expect((shown.translations as Fields[]).map(({ id }) => id)).toEqual([german.id]);
    (await home.api.delete(`/kb/articles/${original.id}`)).expect(200);
    expect((await home.api.get(`/kb/articles/${german.id}`)).data.translation_of_id).toBeNull();
  });

  it('make no chain when two articles become translations of each other at once', async () => {
    const [left, right] = [await article({ language: 'en' }), await article({ language: 'sv' })];
    const answers = await Promise.all([
      insist(() => home.api.patch(`/kb/articles/${left.id}`, { translation_of_id: right.id })),
      insist(() => home.api.patch(`/kb/articles/${right.id}`, { translation_of_id: left.id })),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe('who may see an article', () => {
  it('depends on it, on the categories above it, and on the company', async () => {
    const { api } = await makeWorkspace(app);
    const make = async (path: string, fields: Record<string, unknown>): Promise<number> =>
      (await api.post(path, fields)).expect(201).data.id;
    const inside = await make('/kb/categories', { name: 'Inside', visibility: 'internal' });
    const below = await make('/kb/categories', { name: 'Below', parent_id: inside });
    const acme = await make('/companies', { name: 'Acme' });
    const write = (title: string, fields: object): Promise<number> =>
      make('/kb/articles', { title, body: 'x', ...fields });
    await write('for all', {});
    await write('for customers', { visibility: 'customers' });
    await write('for us', { visibility: 'internal' });
    await write('hidden by its category', { category_id: inside });
    await write('hidden by the category above', { category_id: below });
    await write('for Acme', { company_ids: [acme] });
    const titles = async (query: string): Promise<unknown[]> =>
      (await api.get(`/kb/articles?sort=id&${query}`)).expect(200).rows.map(({ title }) => title);
    expect(await titles('visible_to=public')).toEqual(['for all']);
    expect(await titles('visible_to=customers')).toEqual(['for all', 'for customers', 'for Acme']);
    expect(await titles('visible_to=customers&for_company=8999999999999')).toEqual(['for all', 'for customers']);
    expect(await titles(`visible_to=customers&for_company=${acme}`)).toEqual(['for all', 'for customers', 'for Acme']);
    expect((await titles('visible_to=internal')).length).toBe(6);
    expect(await titles(`company_ids=${acme}`)).toEqual(['for Acme']);
    (await api.delete(`/companies/${acme}`)).expect(200);
    expect(await titles('visible_to=public&for_company=8999999999999')).toEqual(['for all']);
  });
});

describe('deleting an article', () => {
  it('takes its versions and feedback along', async () => {
    const { id } = await article();
    (await home.api.post(`/kb/articles/${id}/feedback`, { helpful: true })).expect(201);
    (await home.api.delete(`/kb/articles/${id}`)).expect(200);
    for (const path of ['', '/versions', '/versions/1', '/feedback'])
      expect((await home.api.get(`/kb/articles/${id}${path}`)).status).toBe(404);
    const types = (await eventsOf(app, home, 'kb_article', id)).map(({ type }) => type);
    expect(types).toEqual(['kb_article.created', 'kb_article.feedback_received', 'kb_article.deleted']);
  });
});
