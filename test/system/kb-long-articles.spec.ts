import { Workers } from '../../src/platform/workers/workers.service';
import { useOwnApp } from '../support/app';
import { hostileTexts } from '../support/dos-corpus';
import { insist } from '../support/insist';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

/** Its threads are counted. */
const server = useOwnApp();

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
  const body = make(100_000);
  // A starved machine may not get done in the time that a thread has; it says 503 then, and that nothing was written.
  const answer = await insist(() => api.post('/kb/articles', { title: 'x', body }));
  expect([name, answer.status]).toEqual([
    name,
    name === 'combining marks' ? 422 : name === 'blanks' ? answer.status : 201,
  ]);
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 201) (await api.get('/search?q=zz%20qq')).expect(200);
});

/** Four times what is worked on where requests are answered. */
const LONG = 40_000;

/** Words enough for a thread; no two texts alike. */
function longText(seed: number): string {
  const words = Array.from(
    { length: LONG / 4 },
    (_, index) => `w${((index * 7_919 + seed * 104_729) % 90_000).toString(36)}`,
  );
  return words.join(' ').slice(0, LONG);
}

it('while a thread works for one article, nothing is locked: others are written', async () => {
  const { api } = await makeWorkspace(server);
  const article = (await api.post('/kb/articles', { title: 'One', body: longText(0) })).expect(201).data;
  const workers = server.app.get(Workers);
  const begun: (() => void)[] = [];
  const run = workers.run.bind(workers);
  const spy = jest.spyOn(workers, 'run').mockImplementation(async (...task: Parameters<typeof run>) => {
    await new Promise<void>((resolve) => begun.push(resolve));
    return run(...task);
  });
  try {
    const path = `/kb/articles/${article.id}`;
    const slow = [
      api.post('/kb/articles', { title: 'Two', body: longText(1), tags: ['B', 'a'], keywords: 'x' }),
      api.patch(path, { title: 'Renamed', body: longText(2) }),
      api.post(`${path}/versions/1/restore`),
    ];
    await until('all three wait for a thread', () => begun.length === 3);
    (await api.post('/kb/articles', { title: 'Short', body: 'x' })).expect(201);
    (await api.patch(path, { status: 'in_review' })).expect(200);
    for (const go of begun) go();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([201, 200, 200]);
    // What was made before the locks was of use: nothing was made twice.
    expect(begun).toHaveLength(3);
  } finally {
    spy.mockRestore();
  }
});

it('six long articles at once are all written, and changed: nobody waits for locks while a thread works', async () => {
  const { api } = await makeWorkspace(server);
  const six = Array.from({ length: 6 }, (_, index) => index);
  const made = await Promise.all(
    six.map((index) => api.post('/kb/articles', { title: 'Long', body: longText(index), tags: ['B', 'a'] })),
  );
  expect(made.map(({ status }) => status)).toEqual(six.map(() => 201));
  expect(new Set(made.map(({ data }) => data['slug'])).size).toBe(6);
  const changed = await Promise.all(
    made.map(({ data }, index) => api.patch(`/kb/articles/${data.id}`, { title: 'Other', body: longText(index + 6) })),
  );
  expect(changed.map(({ status }) => status)).toEqual(six.map(() => 200));
  expect(new Set(changed.map(({ data }) => data['slug'])).size).toBe(6);
});
