import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
/** An id that no record has. */
const NOBODY = 8_999_999;
let home: TestWorkspace;
/** Writes articles and categories, sees neither drafts nor internal ones, and reads what happened. */
let writer: Person;

beforeAll(async () => {
  home = await makeWorkspace(server);
  const permissions = ['kb.read', 'kb.create', 'kb.update', 'kb.delete', 'events.read', 'audit-logs.read'];
  writer = await makePerson(server, home, { role_id: (await make(home.api, '/roles', { permissions })).id });
});

const article = async (fields: object = {}): Promise<Fields> =>
  (await home.api.post('/kb/articles', { title: 'Guide', body: 'Text', ...fields })).expect(201).data;

/** What an answer says, whichever record was asked for. */
const said = ({ status, error }: Answer, id: number): unknown[] => [
  status,
  error.message.replaceAll(String(id), 'X'),
  error.details?.map((each) => ({ ...each, message: each.message.replaceAll(String(id), 'X') })),
];

describe('what one does not see is answered like what is not there', () => {
  it('as the category that takes over articles', async () => {
    const cellar = await make(home.api, '/kb/categories', { visibility: 'internal' });
    const shelf = await make(home.api, '/kb/categories');
    const { id } = await article({ category_id: shelf.id, status: 'published' });
    const into = (heir: number): Promise<Answer> => writer.api.delete(`/kb/categories/${shelf.id}?reassign_to=${heir}`);
    expect(said(await into(cellar.id), cellar.id)).toEqual(said(await into(NOBODY), NOBODY));
    (await writer.api.get(`/kb/articles/${id}`)).expect(200);
  });

  it('as the category above, however deep it is', async () => {
    const top = await make(home.api, '/kb/categories', { visibility: 'internal' });
    const middle = await make(home.api, '/kb/categories', { parent_id: top.id });
    const bottom = await make(home.api, '/kb/categories', { parent_id: middle.id });
    const shelf = await make(home.api, '/kb/categories');
    const below = await make(home.api, '/kb/categories', { parent_id: shelf.id, visibility: 'internal' });
    const asks = [
      (parent_id: number) => writer.api.post('/kb/categories', { name: 'New', parent_id }),
      (parent_id: number) => writer.api.patch(`/kb/categories/${shelf.id}`, { parent_id }),
    ];
    for (const ask of asks)
      for (const { id } of [top, bottom, below])
        expect(said(await ask(id), id)).toEqual(said(await ask(NOBODY), NOBODY));
  });

  it('as the original of a translation', async () => {
    const original = await article({ language: 'sv' });
    const translation = await article({ language: 'da', translation_of_id: original.id });
    const mine = await article({ language: 'sv', status: 'published' });
    const asks = [
      (of: number) => writer.api.post('/kb/articles', { title: 'T', body: 'x', language: 'sv', translation_of_id: of }),
      (of: number) => writer.api.patch(`/kb/articles/${mine.id}`, { translation_of_id: of }),
    ];
    for (const ask of asks)
      for (const { id } of [original, translation])
        expect(said(await ask(id), id)).toEqual(said(await ask(NOBODY), NOBODY));
  });

  it('as a version, or as the article that it is of', async () => {
    const draft = await article();
    const shown = await article({ status: 'published' });
    for (const change of [
      { status: 'draft', body: 'Not for you' },
      { status: 'in_review', body: 'For you' },
      { status: 'published' },
    ])
      (await home.api.patch(`/kb/articles/${shown.id}`, change)).expect(200);
    const one = (id: number, number: number): Promise<Answer> =>
      writer.api.get(`/kb/articles/${id}/versions/${number}`);
    const back = (id: number, number: number): Promise<Answer> =>
      writer.api.post(`/kb/articles/${id}/versions/${number}/restore`);
    (await one(shown.id, 3)).expect(200);
    for (const ask of [one, back]) {
      expect(said(await ask(draft.id, 1), draft.id)).toEqual(said(await ask(NOBODY, 1), NOBODY));
      expect((await ask(shown.id, 2)).expect(404).error.message).toBe(
        (await ask(shown.id, 9)).expect(404).error.message.replace('9', '2'),
      );
    }
  });
});

it('what articles and categories were while one did not see them is in no log for them', async () => {
  const shelf = await make(home.api, '/kb/categories', { name: 'Whispered', visibility: 'internal' });
  const { id } = await article({ body: 'Whispered draft', visibility: 'internal', category_id: shelf.id });
  const last = { name: 'Said', visibility: 'public' };
  (await home.api.patch(`/kb/categories/${shelf.id}`, last)).expect(200);
  (await home.api.patch(`/kb/articles/${id}`, { status: 'in_review', body: 'Said', visibility: 'public' })).expect(200);
  (await home.api.patch(`/kb/articles/${id}`, { status: 'published' })).expect(200);
  (await writer.api.get(`/kb/articles/${id}`)).expect(200);
  const logs = ['/events?object=kb_article,kb_category&per_page=100', '/audit-logs?resource=kb_article,kb_category'];
  for (const log of logs) {
    await until('it is told', async () => (await home.api.get(log)).text.includes('Said'));
    const { rows, meta } = (await writer.api.get(log)).expect(200);
    expect([JSON.stringify(rows).includes('Whispered'), rows.length, meta.total ?? 0]).toEqual([false, 0, 0]);
  }
  const permissions = ['kb.read', 'kb.drafts', 'kb.internal', 'events.read'];
  const editor = await makePerson(server, home, { role_id: (await make(home.api, '/roles', { permissions })).id });
  expect((await editor.api.get(logs[0] ?? '')).text).toContain('Whispered draft');
});
