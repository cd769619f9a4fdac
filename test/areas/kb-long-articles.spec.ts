import { MAX_BODY } from '../../src/areas/kb/articles/article-values';
import { Workers } from '../../src/platform/workers/workers.service';
import { useApp } from '../support/app';
import { hostileTexts } from '../support/dos-corpus';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('a long article is worked on in a thread, and found by its words', async () => {
  const { api } = await makeWorkspace(server);
  const short = { title: 'Short', body: 'A zeppelin lands.', status: 'published' };
  (await api.post('/kb/articles', short)).expect(201);
  expect(server.app.get(Workers).size).toBe(0);
  const long = { title: 'Long', body: `A zeppelin starts.\n\n${'word\n'.repeat(20_000)}`, status: 'published' };
  const created = (await api.post('/kb/articles', long)).expect(201).data;
  expect(server.app.get(Workers).size).toBeGreaterThan(0);
  expect(created['excerpt']).toMatch(/^A zeppelin starts\. word word .*…$/);
  expect((await api.get('/kb/articles?q=zeppelin')).expect(200).rows).toHaveLength(2);
  const changed = await api.patch(`/kb/articles/${created.id}`, { body: `An airship.\n${'other\n'.repeat(20_000)}` });
  expect(changed.expect(200).data['excerpt']).toMatch(/^An airship\. other/);
  expect((await api.get('/kb/articles?q=airship')).expect(200).rows).toHaveLength(1);
});

// Each is either refused, or bounded in what it makes PostgreSQL and the process do; none fails.
it.each(Object.entries(hostileTexts))('an article of %s is written or refused', async (name, make) => {
  const { api } = await makeWorkspace(server);
  const body = make(Math.min(MAX_BODY, 290_000));
  const answer = await api.post('/kb/articles', { title: 'x', body });
  expect([name, answer.status]).toEqual([
    name,
    name === 'combining marks' ? 422 : name === 'blanks' ? answer.status : 201,
  ]);
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 201) (await api.get('/search?q=zz%20qq')).expect(200);
});
