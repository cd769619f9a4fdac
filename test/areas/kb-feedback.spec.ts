import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp({ role: 'api' });
const sql = useSql();

let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(app);
});

const article = async (): Promise<number> =>
  (await home.api.post('/kb/articles', { title: 'Guide', body: 'Text', status: 'published' })).expect(201).data.id;
const counts = async (id: number): Promise<unknown[]> => {
  const { data } = (await home.api.get(`/kb/articles/${id}`)).expect(200);
  return [data.helpful_count, data.not_helpful_count, data.deflection_count];
};

describe('feedback on an article', () => {
  it('is kept, counted and announced, and is no change of the article', async () => {
    const id = await article();
    const before = (await home.api.get(`/kb/articles/${id}`)).data;
    const answer = (
      await home.api.post(`/kb/articles/${id}/feedback`, { helpful: true, deflected: true, comment: ' Thanks ' })
    ).expect(201);
    expect(answer.data).toMatchObject({
      article_id: id,
      version_number: 1,
      helpful: true,
      deflected: true,
      comment: 'Thanks',
    });
    (await home.api.post(`/kb/articles/${id}/feedback`, { helpful: false })).expect(201);
    const after = (await home.api.get(`/kb/articles/${id}`)).data;
    expect(after).toEqual({ ...before, helpful_count: 1, not_helpful_count: 1, deflection_count: 1, helpful_pct: 50 });
    const [, , event] = await eventsOf(app, home, 'kb_article', id);
    expect(event).toMatchObject({ type: 'kb_article.feedback_received', data: { id, helpful_count: 1 } });
    const list = (await home.api.get(`/kb/articles/${id}/feedback?helpful=true&expand=article`)).expect(200);
    expect(list.rows).toEqual([{ ...answer.data, article: expect.objectContaining({ id }) as object }]);
    expect((await home.api.get(`/kb/articles/${id}/feedback?has_comment=false`)).meta.total).toBe(1);
  });

  it('changes the ETag, but not what If-Match compares', async () => {
    const id = await article();
    const etag = (await home.api.get(`/kb/articles/${id}`)).header('etag') ?? '';
    (await home.api.post(`/kb/articles/${id}/feedback`, { helpful: true })).expect(201);
    expect((await home.api.get(`/kb/articles/${id}`, { 'if-none-match': etag })).status).toBe(200);
    (await home.api.patch(`/kb/articles/${id}`, { is_pinned: true }, { 'if-match': etag })).expect(200);
  });

  it('is counted exactly when many speak at once', async () => {
    const id = await article();
    const opinions = Array.from({ length: 20 }, (_, index) => ({
      helpful: index % 4 !== 0,
      deflected: index % 4 === 1,
    }));
    const answers = await Promise.all(
      opinions.map((body) => insist(() => home.api.post(`/kb/articles/${id}/feedback`, body))),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await counts(id)).toEqual([15, 5, 5]);
    const events = (await eventsOf(app, home, 'kb_article', id)).filter(({ type }) =>
      type.endsWith('feedback_received'),
    );
    expect(events.length).toBe(20);
    expect((await home.api.get(`/kb/articles/${id}/feedback`)).meta.total).toBe(20);
  });

  it('is one opinion per contact, the newest', async () => {
    const id = await article();
    const contact = (await home.api.post('/contacts', { email: 'ada@example.com' })).expect(201).data.id;
    const give = (helpful: boolean, more: object = {}) =>
      home.api.post(`/kb/articles/${id}/feedback`, { helpful, contact_id: contact, ...more });
    const first = (await give(false, { comment: 'No' })).expect(201).data;
    const second = (await give(true, { deflected: true })).expect(200).data;
    expect(second).toMatchObject({ id: first.id, helpful: true, comment: null });
    expect(await counts(id)).toEqual([1, 0, 1]);
    const answers = await Promise.all([true, false, true, false].map((helpful) => insist(() => give(helpful))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const [yes, no, deflected] = (await counts(id)) as number[];
    expect([(yes ?? 0) + (no ?? 0), deflected]).toEqual([1, 0]);
    expect((await home.api.get(`/kb/articles/${id}/feedback?contact_id=${contact}`)).meta.total).toBe(1);
  });

  it.each([
    [{}, { helpful: 'required' }],
    [{ helpful: 'yes' }, { helpful: 'type' }],
    [{ helpful: false, deflected: true }, { deflected: 'invalid' }],
    [{ helpful: true, contact_id: 999_999 }, { contact_id: 'not_found' }],
    [{ helpful: true, ticket_id: 999_999 }, { ticket_id: 'not_found' }],
    [{ helpful: true, article_id: 7 }, { article_id: 'immutable' }],
    [{ helpful: true, comment: 'x'.repeat(2_001) }, { comment: 'max' }],
  ])('refuses %j and counts nothing', async (body, codes) => {
    const id = await article();
    expect((await home.api.post(`/kb/articles/${id}/feedback`, body)).expect(422).codes).toEqual(codes);
    expect(await counts(id)).toEqual([0, 0, 0]);
  });

  it('is taken where the counts that came from elsewhere are as high as they go', async () => {
    const id = await article();
    const most = 2_147_483_647;
    const set = 'helpful_count = $2, not_helpful_count = $2, deflection_count = $2';
    await sql.rows(`UPDATE kb_articles SET ${set} WHERE id = $1 AND workspace_id = $3`, [id, most, home.id]);
    for (const body of [{ helpful: true, deflected: true }, { helpful: false }])
      (await home.api.post(`/kb/articles/${id}/feedback`, body)).expect(201);
    expect(await counts(id)).toEqual([most, most, most]);
  });

  it('needs an article', async () => {
    expect((await home.api.post('/kb/articles/999999999/feedback', { helpful: true })).status).toBe(404);
    expect((await home.api.get('/kb/articles/999999999/feedback')).status).toBe(404);
  });

  it('is given once under an Idempotency-Key', async () => {
    const id = await article();
    const key = { 'idempotency-key': `feedback-${id}` };
    const first = (await home.api.post(`/kb/articles/${id}/feedback`, { helpful: true }, key)).expect(201);
    const again = (await home.api.post(`/kb/articles/${id}/feedback`, { helpful: true }, key)).expect(201);
    expect(again.text).toBe(first.text);
    expect(await counts(id)).toEqual([1, 0, 0]);
  });
});

describe('views of an article', () => {
  it('are counted when told, exactly, without event or change', async () => {
    const id = await article();
    const before = (await home.api.get(`/kb/articles/${id}`)).data;
    await Promise.all(Array.from({ length: 10 }, () => insist(() => home.api.post(`/kb/articles/${id}/view`, {}))));
    const answer = (await home.api.post(`/kb/articles/${id}/view`, { count: 5 })).expect(200);
    expect(answer.data).toEqual({ ...before, view_count: 15 });
    expect((await eventsOf(app, home, 'kb_article', id)).length).toBe(2);
    expect((await home.api.post(`/kb/articles/${id}/view`, { count: 0 })).expect(422).codes).toEqual({ count: 'min' });
    expect((await home.api.post('/kb/articles/999999999/view', {})).status).toBe(404);
  });
});
