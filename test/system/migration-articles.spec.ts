import type { Fields } from '../support/api';
import { make, makeUser } from '../support/cast';
import { rowsOf } from '../support/counted-rows';
import { eventsOf } from '../support/event-log';
import { migratedRows, takenBack, useMigrationApp } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const migrated = (rows: object, more?: object): Promise<Fields> => migratedRows(server, workspace, rows, more);
const back = (job: Fields): Promise<void> => takenBack(server, workspace, job);
const articles = async (): Promise<Fields[]> =>
  (await workspace.api.get('/kb/articles?per_page=50')).rows.sort(
    (one, other) => Number(one.external_id) - Number(other.external_id),
  );
/** Those that came in; every workspace has some of its own. */
const shelvesNow = async (): Promise<Fields[]> =>
  (await workspace.api.get('/kb/categories?sort=name')).rows.filter(({ external_id }) => external_id !== null);
const failures = async (job: Fields): Promise<Fields[]> =>
  (await workspace.api.get(`/migration/jobs/${job.id}/records?status=failed&limit=50`)).rows;
const ROWS = {
  kb_categories: [
    { id: 2, title: 'Printers', parent: 1 },
    { id: 1, title: 'Hardware' },
  ],
  kb_articles: [
    {
      ...{
        id: 10,
        subject: 'Clear a paper jam',
        content: '# Jam\n\nOpen the **zebratray**.',
        state: 'Live',
        section: 2,
      },
      ...{ author: 'eve@acme.example', created: '2019-03-01T08:00:00Z', updated: '2020-01-01T00:00:00Z', views: 42 },
      ...{ published: '2019-04-01T00:00:00Z', locale: 'en', labels: ['paper'], slug: 'clear-a-paper-jam', floor: 3 },
    },
    {
      id: 11,
      subject: 'Papierstau',
      content: 'Klappe auf.',
      state: 'Live',
      locale: 'de',
      original: 10,
      section: 'Hardware',
    },
    { id: 12, subject: 'Old', content: 'Gone.', state: 'obsolete', updated: '2018-01-01T00:00:00Z' },
  ],
};

describe('articles of another system', () => {
  it('come in with categories, authors, moments and one version each, and are found', async () => {
    const { api } = workspace;
    const eve = await makeUser(api, { email: 'eve@acme.example', role: 'agent' });
    const own = { title: 'Toner and jam', body: 'Words that stay: Klappe.' };
    const mine = (await api.post('/kb/articles', own)).expect(201).data;
    const before = await rowsOf(sql, workspace);
    const job = await migrated(ROWS);
    expect(job).toMatchObject({
      status: 'completed',
      progress: { created: 5, failed: 0 },
      validation: { problems: [] },
    });
    expect(job.mapping).toMatchObject({
      kb_articles: {
        fields: { subject: 'title', content: 'body', section: 'category_id', floor: 'custom_fields.floor' },
      },
    });
    const shelves = await shelvesNow();
    expect(shelves).toMatchObject([{ name: 'Hardware' }, { name: 'Printers', parent_id: shelves[0]?.id }]);
    const [jam, stau, old] = (await articles()).filter(({ id }) => id !== mine.id);
    expect(jam).toMatchObject({
      ...{ external_id: '10', title: 'Clear a paper jam', status: 'published', category_id: shelves[1]?.id },
      ...{ author_id: eve.id, created_at: '2019-03-01T08:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' },
      ...{
        published_at: '2019-04-01T00:00:00.000Z',
        view_count: 42,
        version_number: 1,
        live_version: 1,
        tags: 'paper',
      },
      ...{ slug: 'clear-a-paper-jam', excerpt: expect.stringContaining('zebratray'), custom_fields: { floor: 3 } },
    });
    expect(stau).toMatchObject({
      language: 'de',
      translation_of_id: jam?.id,
      category_id: shelves[0]?.id,
      author_id: null,
    });
    expect(old).toMatchObject({ status: 'archived', archived_at: '2018-01-01T00:00:00.000Z', live_version: null });
    expect((await api.get('/kb/articles?q=zebratray')).rows).toMatchObject([{ id: jam?.id }]);
    expect((await api.get(`/kb/articles/${jam?.id}/versions`)).rows).toMatchObject([
      { number: 1, created_at: '2020-01-01T00:00:00.000Z', published_at: '2020-01-01T00:00:00.000Z' },
    ]);
    expect(await eventsOf(server, workspace, 'kb_article', Number(jam?.id))).toEqual([]);
    expect((await migrated(ROWS)).progress).toMatchObject({ created: 0, skipped: 5, failed: 0 });
    const report = (await api.get(`/migration/jobs/${job.id}/report`)).data;
    expect(report.entities).toEqual(
      expect.arrayContaining([expect.objectContaining({ entity: 'kb_articles', source: 3, present: 3, gone: 0 })]),
    );
    await back(job);
    expect(await articles()).toMatchObject([{ id: mine.id }]);
    expect(await shelvesNow()).toEqual([]);
    expect(await rowsOf(sql, workspace)).toEqual(before);
    expect((await api.get('/kb/articles?q=zebratrays')).rows).toEqual([]);
    expect((await api.get('/kb/articles?q=klapppe')).rows).toMatchObject([{ id: mine.id }]);
  });

  it('are brought up to date as a new version, and taken back but for what somebody has changed', async () => {
    const { api } = workspace;
    const job = await migrated(ROWS, { options: { unresolved: 'leave_out' } });
    const [jam, stau] = await articles();
    (await api.patch(`/kb/articles/${stau?.id}`, { title: 'Papierstau beheben' })).expect(200);
    const [first, second, third] = ROWS.kb_articles;
    const anew = { ...first, content: 'Pull the quokkalever.', updated: '2021-01-01T00:00:00Z' };
    const rows = { ...ROWS, kb_articles: [anew, { ...second, subject: 'Stau' }, third] };
    const later = await migrated(rows, { options: { on_duplicate: 'update', unresolved: 'leave_out' } });
    expect(later.progress).toMatchObject({ updated: 1, failed: 0 });
    expect((await articles())[0]).toMatchObject({ body: 'Pull the quokkalever.', version_number: 2, live_version: 2 });
    expect((await articles())[1]).toMatchObject({ title: 'Papierstau beheben' });
    expect((await api.get('/kb/articles?q=quokkalever')).rows).toHaveLength(1);
    await back(later);
    expect((await articles())[0]).toMatchObject({ id: jam?.id, body: first?.content, version_number: 3 });
    expect((await api.get('/kb/articles?q=quokkalever')).rows).toHaveLength(0);
    await back(job);
    expect((await articles()).map(({ title }) => title)).toContain('Papierstau beheben');
  });

  it('are internal where the companies that they are for cannot come in', async () => {
    const { api } = workspace;
    const of = (id: number, company_ids: unknown): object => ({
      id,
      title: `No. ${id}`,
      body: 'x',
      status: 'published',
      visibility: 'public',
      company_ids,
    });
    const job = await migrated({ kb_articles: [of(1, [5]), of(2, []), of(3, '5;6'), of(4, null)] });
    const seen = async (): Promise<unknown[]> => (await articles()).map(({ visibility }) => visibility);
    expect(await seen()).toEqual(['internal', 'public', 'internal', 'public']);
    const { rows } = await api.get(`/migration/jobs/${job.id}/records?entity=kb_articles&sort=id`);
    expect(rows.map(({ warnings }) => (warnings as string[]).some((each) => each.startsWith('company_ids:')))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    await migrated({ kb_articles: [of(2, [5])] }, { options: { on_duplicate: 'update' } });
    expect(await seen()).toEqual(['internal', 'internal', 'internal', 'public']);
  });

  it('cost themselves alone where they are wrong, and never anything of another workspace', async () => {
    const other = await makeWorkspace(server);
    const theirs = await make(other.api, '/kb/categories', { name: 'Theirs' });
    const here = { title: 'Here', body: 'x', slug: 'taken', language: 'en' };
    (await workspace.api.post('/kb/articles', here)).expect(201);
    const deep = ['a', 'b', 'c', 'd'].map((name, n) => ({
      id: name,
      name,
      ...(n === 0 ? {} : { parent: 'abc'[n - 1] }),
    }));
    const kb_articles = [
      { id: 1, title: 'Fine', body: 'x', slug: 'taken', language: 'en' },
      { id: 2, title: 'Odd address', body: 'x', slug: 'No Address!' },
      { id: 3, title: 'No body' },
      { id: 4, title: 'x'.repeat(10_000), body: 'y'.repeat(20_000) },
      { id: 5, title: 'Status', body: 'x', status: 'whatever' },
      { id: 6, title: 'Shelf', body: 'x', category: theirs.id },
      { id: 7, title: 'Language', body: 'x', language: 'klingon language' },
      { id: 8, title: 'Itself', body: 'x', translation_of: 8 },
      { id: 9, title: { a: 1 }, body: ['x'] },
      { id: 10, title: 'Views', body: 'x', views: 9_007_199_254_740_991 },
    ];
    const job = await migrated({ kb_categories: deep, kb_articles });
    expect(job.status).toBe('completed_with_errors');
    const failed = (await failures(job)).map(({ entity, external_id, error }) => [
      entity,
      external_id,
      (error as Fields).field,
    ]);
    expect(failed.sort()).toEqual([
      ['kb_articles', '10', 'view_count'],
      ['kb_articles', '3', 'body'],
      ['kb_articles', '5', 'status'],
      ['kb_articles', '6', 'category_id'],
      ['kb_articles', '7', 'language'],
      ['kb_articles', '8', 'translation_of_id'],
      ['kb_articles', '9', 'title'],
      ['kb_categories', 'd', 'parent_id'],
    ]);
    const [fine, odd] = (await articles()).filter(({ external_id }) => external_id === '1' || external_id === '2');
    expect([fine?.slug, odd?.slug]).toEqual(['fine', 'odd-address']);
    const made1 = (
      await workspace.api.get(`/migration/jobs/${job.id}/records?status=created&entity=kb_articles&sort=id`)
    ).rows;
    expect(made1.slice(0, 2).map(({ warnings }) => warnings)).toEqual([
      ['slug: "taken" is taken or no address here; it is "fine"'],
      ['slug: "No Address!" is taken or no address here; it is "odd-address"'],
    ]);
    const made = await migrated(
      { kb_articles: [{ id: 20, title: 'New shelf', body: 'x', category: 'Made' }] },
      { options: { create_missing: ['kb_categories'] } },
    );
    expect(made.progress).toMatchObject({ created: 1 });
    expect((await workspace.api.get('/kb/categories?q=Made')).rows).toMatchObject([{ name: 'Made', slug: 'made' }]);
    await back(made);
    expect((await workspace.api.get('/kb/categories?q=Made')).rows).toEqual([]);
    expect((await other.api.get('/kb/articles')).rows).toEqual([]);
  });

  it('bring older versions and what readers said; a version that is no older one is refused', async () => {
    const { api } = workspace;
    const article = { id: 1, title: 'Jam', body: 'Third text.', status: 'published', version_number: 3 };
    const version = (id: number, number: unknown, more: object = {}): object => ({
      ...{ id: `v${id}`, article: 1, version: number, title: `Jam ${id}`, content: `Text ${id}`, editor: 'Eve' },
      ...{ created: `2019-0${id}-01T00:00:00Z`, ...more },
    });
    const before = await rowsOf(sql, workspace);
    const rows = {
      kb_articles: [
        { ...article, helpful: 7, downvotes: 3, deflection_count: 2 },
        { id: 2, title: 'No', body: 'x', version_number: 0 },
      ],
      kb_article_versions: [
        version(1, 1, { published_at: '2019-01-02T00:00:00Z', tags: 'Paper,Jam', note: 'First' }),
        version(2, 2),
        version(3, 3, { title: 'Jam', content: 'Third text.' }),
        version(8, 3),
        version(4, 4),
        version(5, 0),
        version(6, 2, { article: 'nobody' }),
        { id: 'v7', article: 1, version: 2, title: 'No text' },
      ],
    };
    const job = await migrated(rows);
    const failed = (await failures(job)).map(({ external_id, error }) => [external_id, (error as Fields).field]);
    expect(failed.sort()).toEqual([
      ['2', 'version_number'],
      ['v4', 'number'],
      ['v5', 'number'],
      ['v6', 'article_id'],
      ['v7', 'body'],
      ['v8', 'number'],
    ]);
    const [jam] = await articles();
    expect(jam).toMatchObject({
      version_number: 3,
      live_version: 3,
      helpful_count: 7,
      not_helpful_count: 3,
      helpful_pct: 70,
    });
    expect((await api.get(`/kb/articles/${jam?.id}/versions`)).rows).toMatchObject([
      { number: 3, body: 'Third text.', is_live: true },
      { number: 2, body: 'Text 2', published_at: null, editor_name: 'Eve', editor_id: null },
      {
        number: 1,
        created_at: '2019-01-01T00:00:00.000Z',
        published_at: '2019-01-02T00:00:00.000Z',
        tags: 'paper,jam',
        change_note: 'First',
      },
    ]);
    (await api.post(`/kb/articles/${jam?.id}/feedback`, { helpful: true })).expect(201);
    expect((await articles())[0]).toMatchObject({ helpful_count: 8 });
    const restored = (await api.post(`/kb/articles/${jam?.id}/versions/1/restore`)).expect(200).data;
    expect(restored).toMatchObject({ version_number: 4, body: 'Text 1', title: 'Jam 1' });
    expect((await migrated(rows)).progress).toMatchObject({ created: 0, skipped: 4, failed: 6 });
    await back(job);
    // Somebody has changed it since: it stays, with the versions that were written here.
    expect((await api.get(`/kb/articles/${jam?.id}/versions`)).rows).toMatchObject([{ number: 4 }, { number: 3 }]);
    (await api.delete(`/kb/articles/${jam?.id}`)).expect(200);
    const again = await migrated({ ...rows, kb_articles: [article] });
    await back(again);
    const left = await rowsOf(sql, workspace);
    expect({ ...left, kb_words: 0, kb_article_feedback: 0 }).toEqual({
      ...before,
      kb_words: 0,
      kb_article_feedback: 0,
    });
  });
});
