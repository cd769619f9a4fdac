import { Database } from '../../src/platform/database/database';
import { CounterFolder } from '../../src/platform/counters/counter-folder';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp({ role: 'api' });

let home: TestWorkspace;
beforeEach(async () => {
  home = await makeWorkspace(app);
});

async function category(name: string, parent: number | null = null): Promise<number> {
  return (await home.api.post('/kb/categories', { name, parent_id: parent })).expect(201).data.id;
}

describe('categories of the knowledge base', () => {
  it('are three in a new workspace', async () => {
    const { rows } = (await home.api.get('/kb/categories')).expect(200);
    expect(rows.map(({ name, slug, position }) => [name, slug, position])).toEqual([
      ['Getting started', 'getting-started', 1],
      ['How-to guides', 'how-to-guides', 2],
      ['Troubleshooting', 'troubleshooting', 3],
    ]);
    expect(rows[0]).toMatchObject({ language: 'en', visibility: 'public', article_count: 0, parent_id: null });
  });

  it('have a slug that follows the name until one is chosen', async () => {
    const { id, slug, position } = (await home.api.post('/kb/categories', { name: 'Müller & Söhne', language: 'de' }))
      .data;
    expect([slug, position]).toEqual(['mueller-soehne', 4]);
    const patch = async (fields: object): Promise<unknown> =>
      (await home.api.patch(`/kb/categories/${id}`, fields)).expect(200).data.slug;
    expect(await patch({ name: 'Other' })).toBe('other');
    expect(await patch({ slug: 'mine' })).toBe('mine');
    expect(await patch({ name: 'Another' })).toBe('mine');
    expect(await patch({ slug: '' })).toBe('another');
    expect((await home.api.post('/kb/categories', { name: 'Anything', slug: 'troubleshooting' })).codes).toEqual({
      slug: 'duplicate',
    });
    const parent = await category('Parent');
    expect((await home.api.post('/kb/categories', { name: 'Troubleshooting', parent_id: parent })).data.slug).toBe(
      'troubleshooting-2',
    );
  });

  it('have a name that is unique under the parent, case aside, in a language', async () => {
    expect((await home.api.post('/kb/categories', { name: 'TROUBLESHOOTING' })).expect(422).codes).toEqual({
      name: 'duplicate',
    });
    (await home.api.post('/kb/categories', { name: 'Troubleshooting', language: 'de' })).expect(201);
  });

  it('count their articles', async () => {
    const id = await category('Counted');
    for (const title of ['One', 'Two'])
      (await home.api.post('/kb/articles', { title, body: 'x', category_id: id })).expect(201);
    expect((await home.api.get(`/kb/categories/${id}`)).data.article_count).toBe(2);
    await app.app.get(Database).system(() => app.app.get(CounterFolder).fold());
    expect((await home.api.get(`/kb/categories/${id}?expand=articles,parent`)).data).toMatchObject({
      article_count: 2,
      parent: null,
      articles: [{ title: 'One' }, { title: 'Two' }],
    });
  });
});

describe('the tree of categories', () => {
  it('has at most three levels, counting what hangs below a moved category', async () => {
    const one = await category('1');
    const two = await category('2', one);
    const three = await category('3', two);
    const deep = (await home.api.post('/kb/categories', { name: '4', parent_id: three })).expect(422);
    expect(deep.codes).toEqual({ parent_id: 'max_depth' });
    const top = await category('top');
    const moved = (await home.api.patch(`/kb/categories/${one}`, { parent_id: top })).expect(422);
    expect(moved.codes).toEqual({ parent_id: 'max_depth' });
    (await home.api.patch(`/kb/categories/${two}`, { parent_id: top })).expect(200);
  });

  it('has no cycles, also when two move below each other at once', async () => {
    const [one, two] = [await category('1'), await category('2')];
    const child = await category('child', one);
    expect((await home.api.patch(`/kb/categories/${one}`, { parent_id: one })).codes).toEqual({ parent_id: 'cycle' });
    expect((await home.api.patch(`/kb/categories/${one}`, { parent_id: child })).codes).toEqual({ parent_id: 'cycle' });
    const answers = await Promise.all([
      home.api.patch(`/kb/categories/${child}`, { parent_id: two }),
      home.api.patch(`/kb/categories/${two}`, { parent_id: child }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe('deleting a category', () => {
  it('is refused while something is in it', async () => {
    const parent = await category('Parent');
    const child = await category('Child', parent);
    expect((await home.api.delete(`/kb/categories/${parent}`)).expect(422).codes).toEqual({ id: 'in_use' });
    (await home.api.post('/kb/articles', { title: 'A', body: 'x', category_id: child })).expect(201);
    expect((await home.api.delete(`/kb/categories/${child}`)).expect(422).codes).toEqual({ id: 'in_use' });
    for (const [heir, code] of [
      ['x', 'type'],
      ['999999', 'not_found'],
      [String(child), 'invalid'],
    ] as const)
      expect((await home.api.delete(`/kb/categories/${child}?reassign_to=${heir}`)).expect(422).codes).toEqual({
        reassign_to: code,
      });
  });

  it('moves its articles where it is told to, each with its event', async () => {
    const [from, to] = [await category('From'), await category('To')];
    const { id } = (await home.api.post('/kb/articles', { title: 'A', body: 'x', category_id: from })).expect(201).data;
    (await home.api.delete(`/kb/categories/${from}?reassign_to=${to}`)).expect(200);
    expect((await home.api.get(`/kb/articles/${id}`)).data).toMatchObject({ category_id: to, version_number: 1 });
    const events = await eventsOf(app, home, 'kb_article', id);
    expect(events.at(-1)).toMatchObject({
      type: 'kb_article.updated',
      changes: { category_id: { from, to } },
    });
    expect((await home.api.get(`/kb/categories/${to}`)).data.article_count).toBe(1);
  });
});
