import { articleMatches } from '../../src/areas/kb/article-search';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp({ role: 'api' });

let home: TestWorkspace;
const articles: readonly (readonly [key: string, language: string, title: string, body: string])[] = [
  [
    'en',
    'en',
    'Configuring printers',
    '# Network devices\n\nInstall the *drivers*, then restart the spooler. See [the guide](https://example.com/zanzibar).',
  ],
  ['en2', 'en-GB', 'Opening hours', 'We answer calls on weekdays. The printer room is closed on Sundays.'],
  [
    'de',
    'de',
    'Passwörter zurücksetzen',
    'Öffnen Sie die **Einstellungen** und wählen Sie Sicherheit. Größere Änderungen brauchen eine Bestätigung.',
  ],
  [
    'fr',
    'fr',
    "Configurer l'imprimante",
    'Vérifiez les câbles et les réglages généraux avant de redémarrer les ordinateurs.',
  ],
  [
    'it',
    'it',
    'Fatture e pagamenti',
    'Le fatture vengono spedite ogni mese; i pagamenti arrivano in perché la città è grande.',
  ],
  ['es', 'es', 'Cambiar contraseñas', 'Los usuarios pueden cambiar sus contraseñas en la configuración de la sesión.'],
  ['ru', 'ru', 'Настройка принтеров', 'Проверьте кабели и перезагрузите компьютеры. Ещё раз откройте настройки.'],
  [
    'ja',
    'ja',
    'パスワードの再設定',
    '設定画面を開いて、新しいパスワードを入力してください。東京都の営業所にもお問い合わせください。',
  ],
  ['zh', 'zh-Hans', '重置密码', '打开设置页面，输入新的密码，然后点击确认按钮。'],
  ['cs', 'cs', 'Žluťoučký kůň', 'Příliš žluťoučký kůň úpěl ďábelské ódy o C++ a 50% slevě.'],
];
const ids = new Map<string, number>();
const keys = new Map<number, string>();

beforeAll(async () => {
  home = await makeWorkspace(app);
  for (const [key, language, title, body] of articles) {
    const { id } = (await home.api.post('/kb/articles', { title, body, language })).expect(201).data;
    ids.set(key, id);
    keys.set(id, key);
  }
});

async function found(q: string, more = ''): Promise<(string | undefined)[]> {
  const answer = (await home.api.get(`/kb/articles?q=${encodeURIComponent(q)}${more}`)).expect(200);
  expect(answer.meta.total).toBe(answer.rows.length);
  return answer.rows.map(({ id }) => keys.get(id));
}

describe('a search finds', () => {
  it.each([
    ['the word as it is written', 'spooler', 'en'],
    ['a stem in English', 'configured printer', 'en'],
    ['the beginning of a word', 'zurückse', 'de'],
    ['the beginning behind an apostrophe', 'impriman', 'fr'],
    ['a stem in German', 'Passwort', 'de'],
    ['German with umlauts written out', 'groesser', 'de'],
    ['German without marks', 'Anderung Bestatigung', 'de'],
    ['a stem in French, elided', 'imprimantes', 'fr'],
    ['French without accents', 'redemarrer ordinateur', 'fr'],
    ['a stem in Italian', 'pagamento', 'it'],
    ['Italian without accents', 'citta', 'it'],
    ['a stem in Spanish', 'contraseña', 'es'],
    ['Spanish without tilde', 'contrasenas', 'es'],
    ['a stem in Russian', 'принтер', 'ru'],
    ['Russian е for ё', 'еще', 'ru'],
    ['Japanese, two characters', '設定', 'ja'],
    ['Japanese, inside a run', '東京', 'ja'],
    ['full-width and half-width forms', 'ﾊﾟｽﾜｰﾄﾞ', 'ja'],
    ['Chinese, two characters', '密码', 'zh'],
    ['one Chinese character', '击', 'zh'],
    ['a language without stems', 'zlutoucky KUN', 'cs'],
    ['signs, as they are', 'C++', 'cs'],
    ['signs that searches of PostgreSQL know', '50%', 'cs'],
    ['words that stay together', '"restart the spooler"', 'en'],
    ['words between signs that stand alone', 'spooler - & → * drivers', 'en'],
    ['words in other quotation marks', '„spooler“ «drivers»', 'en'],
    ['words in brackets', '[spooler] <drivers> {printers}', 'en'],
    ['words with a mark before them', '#spooler +drivers @printers', 'en'],
    ['words with a wildcard', '*spool* driv*', 'en'],
    ['beginnings with a comma', 'spool, driv;', 'en'],
    ['words that are joined', 'restart/the_spooler', 'en'],
    ['signs, as they are, between others', '„C++“, (50%)', 'cs'],
  ])('%s: %s', async (_name, q, key) => {
    expect((await found(q))[0]).toBe(key);
  });

  it.each([
    ['a swap', 'spoloer', 'en'],
    ['a missing letter', 'pritner drivers', 'en'],
    ['two mistakes in a long word', 'Einstelungn', 'de'],
    ['one in French', 'ordinatuer', 'fr'],
    ['one behind an elided article', "l'imprimnate", 'fr'],
    ['one in Russian', 'компютер', 'ru'],
    ['one in Italian', 'fattrue', 'it'],
    ['one in Spanish', 'usuarois', 'es'],
  ])('despite %s: %s', async (_name, q, key) => {
    expect(await found(q)).toContain(key);
  });

  it.each([
    'zanzibar',
    '"spooler the restart"',
    'printer Sicherheit',
    'xqzxqz',
    '密設',
    'cat',
    'figur',
    'ellungen',
    '""zqx',
    'a & ! | zq:*',
    'spooler++',
  ])('nothing for %s', async (q) => {
    expect(await found(q)).toEqual([]);
  });
});

describe('the order of what is found', () => {
  it('puts headings and titles before texts, and what is exact before what is near', async () => {
    expect(await found('printer')).toEqual(['en', 'en2']);
    expect(await found('printer', '&sort=relevance')).toEqual(['en2', 'en']);
    expect(await found('printer', '&sort=-id')).toEqual(['en2', 'en']);
  });

  it('knows relevance only with a search', async () => {
    expect((await home.api.get('/kb/articles?sort=-relevance')).expect(422).codes).toEqual({ sort: 'unknown_sort' });
    const wrong = (await home.api.get('/kb/articles?q=printer&sort=zzz')).expect(422);
    expect(wrong.error.details?.[0]?.allowed).toContain('relevance');
  });

  it('leads page by page over everything that is found, once', async () => {
    const workspace = await makeWorkspace(app);
    for (let index = 0; index < 7; index++) {
      const body = `Toner ${'and paper '.repeat(index)}`;
      (await workspace.api.post('/kb/articles', { title: `Guide ${index}`, body })).expect(201);
    }
    const whole = (await workspace.api.get('/kb/articles?q=toner')).rows.map(({ id }) => id);
    const walked: number[] = [];
    let next: string | null | undefined = '/kb/articles?q=toner&per_page=2';
    while (next) {
      const page = (await workspace.api.get(next)).expect(200);
      expect(page.meta.total).toBe(7);
      walked.push(...page.rows.map(({ id }) => id));
      next = page.body.links?.next;
    }
    expect(walked).toEqual(whole);
    expect(new Set(walked).size).toBe(7);
  });

  it('goes with filters', async () => {
    expect(await found('printer', '&language=en-GB')).toEqual(['en2']);
    expect(await found('printer', '&status=published')).toEqual([]);
    expect(await found('printer', '&tags=none-of-them')).toEqual([]);
  });
});

describe('what a search looks through', () => {
  it('follows every change, and ends with the article', async () => {
    const { api } = await makeWorkspace(app);
    const total = async (q: string): Promise<unknown> => (await api.get(`/kb/articles?q=${q}`)).meta.total;
    const { id } = (await api.post('/kb/articles', { title: 'Alpha', body: 'Bravo', keywords: 'charlie' })).expect(
      201,
    ).data;
    expect([await total('alpha'), await total('bravo'), await total('charlie')]).toEqual([1, 1, 1]);
    (await api.patch(`/kb/articles/${id}`, { body: 'Delta', keywords: ['echo'] })).expect(200);
    expect([await total('bravo'), await total('delta'), await total('charlie'), await total('echo')]).toEqual([
      0, 1, 0, 1,
    ]);
    (await api.patch(`/kb/articles/${id}`, { tags: 'foxtrot' })).expect(200);
    expect(await total('foxtrot')).toBe(1);
    (await api.delete(`/kb/articles/${id}`)).expect(200);
    expect(await total('delta')).toBe(0);
  });

  it('is what readers see, for readers', async () => {
    const workspace = await makeWorkspace(app);
    const { api } = workspace;
    const made = await api.post('/kb/articles', {
      title: 'Toner',
      body: `Order the red one. ${'Filler words. '.repeat(30)}`,
      status: 'published',
      publish_mode: 'staged',
    });
    const { id } = made.expect(201).data;
    (await api.patch(`/kb/articles/${id}`, { status: 'draft', body: 'Order the blue one.' })).expect(200);
    const search = (q: string, copy: 'current' | 'live'): Promise<Record<string, unknown>[]> => {
      const database = app.app.get(Database);
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const matches = articleMatches([q], bind, copy);
      const text = `SELECT f.id, f.number, kb_snippet(x.plain_text, ${bind([q])}::text[]) AS snippet FROM (${matches}) f
        JOIN kb_article_texts_search x ON x.article_id = f.id AND x.number = f.number ORDER BY f.relevance DESC, f.id`;
      return database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, () =>
        database.transaction(() => database.query(text, values)),
      );
    };
    expect(await search('blue', 'live')).toEqual([]);
    expect(await search('red', 'current')).toEqual([]);
    expect(await search('blue', 'current')).toEqual([{ id, number: 2, snippet: 'Order the blue one.' }]);
    expect(await search('reds', 'live')).toEqual([
      { id, number: 1, snippet: expect.stringMatching(/^Order the red one\. Filler.*…$/) as string },
    ]);
    (await api.patch(`/kb/articles/${id}`, { status: 'in_review' })).expect(200);
    (await api.patch(`/kb/articles/${id}`, { status: 'published' })).expect(200);
    expect([await search('red', 'live'), (await search('blue', 'live')).length]).toEqual([[], 1]);
    (await api.patch(`/kb/articles/${id}`, { status: 'archived' })).expect(200);
    expect([(await search('blue', 'live')).length, (await search('blue', 'current')).length]).toEqual([0, 1]);
  });

  it('has room for the longest article, and is none the slower for hostile ones', async () => {
    const { api } = await makeWorkspace(app);
    for (const body of [
      '密'.repeat(200_000),
      'abc '.repeat(130_000),
      '[('.repeat(200_000),
      `${'<a '.repeat(100_000)}zz`,
    ]) {
      (await api.post('/kb/articles', { title: 'Long', body })).expect(201);
    }
    expect((await api.get('/kb/articles?q=long&fields=id')).meta.total).toBe(4);
  });
});
