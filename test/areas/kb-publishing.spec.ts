import { ARTICLE_STATUSES, type ArticleStatus } from '../../src/areas/kb/articles/article-values';
import { ARTICLE_TRANSITIONS } from '../../src/areas/kb/articles/article-status';
import { type Fields } from '../support/api';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp({ role: 'api' });

let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(app);
});

async function article(fields: Record<string, unknown> = {}): Promise<Fields> {
  return (await home.api.post('/kb/articles', { title: 'Guide', body: 'One', ...fields })).expect(201).data;
}

const patch = async (id: number, fields: Record<string, unknown>): Promise<Fields> =>
  (await home.api.patch(`/kb/articles/${id}`, fields)).expect(200).data;

const versionsOf = async (id: number): Promise<Fields[]> =>
  (await home.api.get(`/kb/articles/${id}/versions`)).expect(200).rows;

const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(app, home, 'kb_article', id)).map(({ type }) => type);

describe('the status of an article', () => {
  const pairs = ARTICLE_STATUSES.flatMap((from) => ARTICLE_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('from %s to %s', async (from: ArticleStatus, to: ArticleStatus) => {
    const { id } = await article({ status: from });
    const answer = await home.api.patch(`/kb/articles/${id}`, { status: to });
    if (from === to || ARTICLE_TRANSITIONS[from].includes(to)) {
      expect(answer.expect(200).data.status).toBe(to);
    } else {
      expect(answer.expect(422).error.details).toEqual([
        expect.objectContaining({
          field: 'status',
          code: 'invalid_transition',
          from,
          to,
          allowed: ARTICLE_TRANSITIONS[from],
        }),
      ]);
    }
  });

  it('goes round as the reference says', () => {
    expect(ARTICLE_TRANSITIONS).toEqual({
      draft: ['in_review'],
      in_review: ['draft', 'published'],
      published: ['draft', 'archived'],
      archived: ['draft'],
    });
  });

  it('marks the moments: first publication, review, archiving', async () => {
    const { id } = await article({ status: 'in_review' });
    const published = await patch(id, { status: 'published' });
    expect(published).toMatchObject({ live_version: 1, archived_at: null });
    expect(published.reviewed_at).toBe(published.published_at);
    const archived = await patch(id, { status: 'archived' });
    expect(archived).toMatchObject({ live_version: null, archived_at: expect.any(String) as string });
    expect(await patch(id, { status: 'draft' })).toMatchObject({ archived_at: null, live_version: null });
    await patch(id, { status: 'in_review' });
    expect((await patch(id, { status: 'published' })).published_at).toBe(published.published_at);
    const reviewed = await home.api.post(`/kb/articles/${id}/review`, { review_due_at: '2030-01-01T00:00:00Z' });
    expect(reviewed.expect(200).data.review_due_at).toBe('2030-01-01T00:00:00.000Z');
    expect((await home.api.post(`/kb/articles/${id}/review`, {})).expect(200).data.review_due_at).toBeNull();
  });

  it('is announced where readers notice, once', async () => {
    const { id } = await article({ status: 'in_review' });
    await patch(id, { status: 'published' });
    await patch(id, { status: 'published', body: 'Two' });
    await patch(id, { status: 'archived' });
    const at = (suffix: string): string => `kb_article.${suffix}`;
    expect(await typesOf(id)).toEqual(['created', 'updated', 'published', 'updated', 'updated', 'archived'].map(at));
    const born = await article({ status: 'published' });
    expect(await typesOf(born.id)).toEqual(['created', 'published'].map(at));
    expect(born).toMatchObject({ live_version: 1, published_at: expect.any(String) as string });
  });

  it('changes once when two change it at once', async () => {
    const { id } = await article({ status: 'published' });
    const answers = await Promise.all(
      ['archived', 'archived', 'draft', 'draft'].map((status) =>
        insist(() => home.api.patch(`/kb/articles/${id}`, { status })),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
    const archivals = (await typesOf(id)).filter((type) => type === 'kb_article.archived');
    expect(archivals.length).toBeLessThanOrEqual(1);
    const { data } = await home.api.get(`/kb/articles/${id}`);
    expect(data.live_version).toBeNull();
  });
});

describe('what readers see of an article', () => {
  it('is nothing while a directly published one is written', async () => {
    const { id } = await article({ status: 'published' });
    expect(await patch(id, { body: 'Two' })).toMatchObject({ version_number: 2, live_version: 2 });
    expect((await patch(id, { status: 'draft' })).live_version).toBeNull();
    expect((await home.api.get(`/kb/articles/${id}?expand=live`)).data.live).toBeNull();
  });

  it('is the version published last while a staged one is written', async () => {
    const { id } = await article({ status: 'published', publish_mode: 'staged', tags: 'a' });
    expect(await patch(id, { status: 'draft', title: 'Better', body: 'Two' })).toMatchObject({
      version_number: 2,
      live_version: 1,
    });
    expect(await patch(id, { status: 'in_review', body: 'Three' })).toMatchObject({
      version_number: 3,
      live_version: 1,
    });
    const { data } = (await home.api.get(`/kb/articles/${id}?expand=live`)).expect(200);
    expect(data).toMatchObject({ body: 'Three', live: { number: 1, title: 'Guide', body: 'One', is_live: true } });
    expect((await home.api.get(`/kb/articles?is_live=true&ids=${id}`)).rows.length).toBe(1);
    expect(await patch(id, { status: 'published' })).toMatchObject({ version_number: 3, live_version: 3 });
    const versions = await versionsOf(id);
    expect(versions.map(({ number, is_live, published_at }) => [number, is_live, published_at !== null])).toEqual([
      [3, true, true],
      [2, false, false],
      [1, false, true],
    ]);
  });

  it('ends when a staged one is archived, or is no longer staged', async () => {
    const { id } = await article({ status: 'published', publish_mode: 'staged' });
    await patch(id, { status: 'draft' });
    expect((await patch(id, { publish_mode: 'direct' })).live_version).toBeNull();
    const other = await article({ status: 'published', publish_mode: 'staged' });
    expect((await patch(other.id, { status: 'archived' })).live_version).toBeNull();
  });
});

describe('versions of an article', () => {
  it('are kept for every change of the content, newest first, and for nothing else', async () => {
    const { id } = await article({ change_note: 'Written' });
    await patch(id, { body: 'Two', change_note: 'Rewritten' });
    await patch(id, { is_pinned: true, visibility: 'internal' });
    await patch(id, { body: 'Two' });
    await patch(id, { title: 'Other', status: 'in_review' });
    const versions = await versionsOf(id);
    expect(versions.map((each) => [each.number, each.title, each.body, each.status, each.change_note])).toEqual([
      [3, 'Other', 'Two', 'in_review', null],
      [2, 'Guide', 'Two', 'draft', 'Rewritten'],
      [1, 'Guide', 'One', 'draft', 'Written'],
    ]);
    expect(versions[0]).toMatchObject({ editor_type: 'token', article_id: id, restored_from: null });
    expect((await home.api.get(`/kb/articles/${id}/versions/2`)).expect(200).data).toEqual(versions[1]);
    expect((await home.api.get(`/kb/articles/${id}/versions?number=1,3&sort=number`)).rows.length).toBe(2);
    expect((await home.api.get(`/kb/articles/${id}/versions/4`)).status).toBe(404);
    expect((await home.api.get(`/kb/articles/${id}/versions/x`)).status).toBe(404);
    expect((await home.api.get('/kb/articles/999999999/versions')).status).toBe(404);
  });

  it('come back as a new version', async () => {
    const { id, excerpt } = await article({ title: 'Restored', tags: 'a,b', keywords: 'k' });
    await patch(id, { title: 'Other', body: 'Two', excerpt: 'Mine', tags: '', keywords: 'x' });
    const answer = (await home.api.post(`/kb/articles/${id}/versions/1/restore`)).expect(200);
    expect(answer.data).toMatchObject({
      title: 'Restored',
      body: 'One',
      excerpt,
      tags: 'a,b',
      keywords: 'k',
      slug: 'restored',
      version_number: 3,
    });
    expect((await versionsOf(id))[0]).toMatchObject({ number: 3, restored_from: 1 });
    expect((await patch(id, { body: 'Three' })).excerpt).toBe('Three');
    const same = (await home.api.post(`/kb/articles/${id}/versions/4/restore`)).expect(200);
    expect(same.data.version_number).toBe(4);
    expect((await home.api.post(`/kb/articles/${id}/versions/9/restore`)).status).toBe(404);
    const stale = await home.api.post(`/kb/articles/${id}/versions/1/restore`, undefined, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
  });

  it('are numbered without gaps when many write at once', async () => {
    const { id } = await article();
    const bodies = Array.from({ length: 8 }, (_, index) => `Text ${index}`);
    const answers = await Promise.all(
      bodies.map((body) => insist(() => home.api.patch(`/kb/articles/${id}`, { body }))),
    );
    for (const answer of answers) answer.expect(200);
    const versions = await versionsOf(id);
    expect(versions.map(({ number }) => number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const { data } = await home.api.get(`/kb/articles/${id}`);
    expect([data.version_number, data.body]).toEqual([9, versions[0]?.body]);
  });
});
