import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { found, idsOf } from '../support/search';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const ticket = (subject: string, more: object = {}): Promise<{ id: number; code: string }> =>
  makeTicket(workspace.api, { subject, ...more }) as never;

/** Moves a ticket to a moment, the newest being the largest. */
async function age(id: number, minutes: number): Promise<void> {
  const set = `SET created_at = now() - make_interval(mins => $2) WHERE id = $1 AND workspace_id = $3`;
  await sql.rows(`UPDATE tickets ${set}`, [id, minutes, workspace.id]);
  await sql.rows(`UPDATE ticket_texts ${set}`, [id, minutes, workspace.id]);
}

describe('a hit', () => {
  it('shows where the word is, what the record is called, and where it is', async () => {
    const made = await ticket('Hovercraft <b>leaks</b>', {
      description: 'The hovercraft & its <i>skirt</i>',
      priority: 'high',
    });
    const { data, meta } = await found(workspace.api, 'hovercraft');
    expect(data).toEqual({
      tickets: [
        {
          id: made.id,
          type: 'ticket',
          title: 'Hovercraft <b>leaks</b>',
          snippet: 'The <mark>hovercraft</mark> &amp; its &lt;i&gt;skirt&lt;/i&gt;',
          code: made.code,
          status: 'open',
          priority: 'high',
          assigned_to: null,
          company_id: null,
          score: 0.95,
          url: `${server.url}/v1/tickets/${made.id}`,
        },
      ],
      companies: [],
      users: [],
      kb_articles: [],
    });
    expect(meta).toEqual({
      query: 'hovercraft',
      took_ms: expect.any(Number) as number,
      totals: { tickets: 1, companies: 0, users: 0, kb_articles: 0 },
      rate_limit_remaining: expect.any(Number) as number,
    });
    (await workspace.api.get(data.tickets?.[0]?.url.replace(`${server.url}/v1`, '') ?? '')).expect(200);
  });
});

describe('the order of tickets', () => {
  it('is exact code, title, beginning in the title, text, beginning in the text; newer first', async () => {
    const inText = await ticket('Slow', { description: 'Because of the zeppelin' });
    const begins = await ticket('Slow', { description: 'All zeppelins' });
    const titleBegins = await ticket('Zeppelins everywhere');
    const older = await ticket('Our zeppelin');
    const newer = await ticket('Your zeppelin');
    for (const [index, { id }] of [newer, older, titleBegins, inText, begins].entries()) await age(id, index * 10);
    // The newest of all is the worst match: only the kind of match orders these.
    await age(begins.id, -10);
    const expected = [newer, older, titleBegins, inText, begins].map(({ id }) => id);
    expect(await idsOf(workspace.api, 'zeppelin', 'tickets')).toEqual(expected);
    const { data } = await found(workspace.api, 'zeppelin');
    const scores = data.tickets?.map(({ score }) => score) ?? [];
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(await idsOf(workspace.api, older.code, 'tickets')).toEqual([older.id]);
  });

  it('puts the words as they were typed before the same words apart', async () => {
    const apart = await ticket('Wireless in the dirigible hall');
    const together = await ticket('The wireless dirigible');
    await age(together.id, 60);
    expect(await idsOf(workspace.api, 'wireless dirigible', 'tickets')).toEqual([together.id, apart.id]);
    expect(await idsOf(workspace.api, 'dirigible wireless', 'tickets')).toEqual([apart.id, together.id]);
  });
});

describe('a ticket', () => {
  it.each(['code', 'small', 'hash', 'number'])('is found by its %s', async (form) => {
    const { id, code } = await ticket('Found by what it is called');
    const number = String(Number(code.slice(4)));
    const text = { code, small: code.toLowerCase(), hash: `#${number}`, number }[form] ?? '';
    const { data, meta } = await found(workspace.api, text.length < 2 ? `#${number}` : text);
    expect(data.tickets?.[0]).toMatchObject({ id, score: 1 });
    expect((meta.totals as Record<string, number>).tickets).toBeGreaterThanOrEqual(1);
  });

  it('is found by the address of its requester, and counted once', async () => {
    const email = 'pilot@airship.example';
    const asked = await ticket('Ballast', { requester_email: email });
    const both = await ticket('Ropes', { requester_email: email, description: `Write to ${email}` });
    const mentions = await ticket('Anchor', { description: `As ${email} said` });
    const { data, meta } = await found(workspace.api, email.toUpperCase());
    expect(data.tickets?.map(({ id }) => id)).toEqual([both.id, asked.id, mentions.id]);
    expect(meta.totals).toMatchObject({ tickets: 3 });
  });

  it('follows its changes, and leaves with its deletion', async () => {
    const { id } = await ticket('Marmalade');
    (await workspace.api.patch(`/tickets/${id}`, { subject: 'Gooseberry', description: 'Chutney' })).expect(200);
    expect(await idsOf(workspace.api, 'marmalade', 'tickets')).toEqual([]);
    expect(await idsOf(workspace.api, 'gooseberry chutney', 'tickets')).toEqual([id]);
    // The length of the title changed with it: a word of the text is not taken for one of the title.
    expect((await found(workspace.api, 'chutney')).data.tickets?.[0]?.score).toBe(0.4);
    (await workspace.api.delete(`/tickets/${id}`)).expect(200);
    expect((await found(workspace.api, 'gooseberry')).meta.totals).toMatchObject({ tickets: 0 });
  });
});

describe('words', () => {
  let id: number;
  beforeAll(async () => {
    ({ id } = await ticket('Der Drucker für Jörg Müller im Büro', {
      description:
        'Größe unbekannt, Æsir, café crème, Łódź, Ελληνικός, Йод. It prints 100% "quoted" tea/coffee_cups (50€). 印刷機が動きません。ﾌﾟﾘﾝﾀ ภาษาไทย',
    }));
  });

  it.each([
    ['in any order', 'büro drucker'],
    ['without accents', 'jorg muller'],
    ['with umlauts spelled out', 'joerg mueller'],
    ['in capitals', 'JÖRG MÜLLER'],
    ['with a sharp s', 'grosse'],
    ['with a sharp s as it is', 'größe'],
    ['with ligatures', 'aesir'],
    ['of other languages', 'cafe creme'],
    ['with strokes', 'lodz'],
    ['in Greek', 'ΕΛΛΗΝΙΚΟΣ'],
    ['in Cyrillic', 'иод'],
    ['by their beginnings', 'druck unbek'],
    ['between quotes', '"quoted"'],
    ['between punctuation', 'coffee cups 50'],
    ['with operators', "drucker & (büro | !jörg) <-> :* \\ '"],
    ['with wildcards', 'drucker %'],
    ['in Japanese', '印刷機'],
    ['inside a Japanese sentence', '動きません'],
    ['half as wide', 'プリンタ'],
    ['in Thai', 'ไทย'],
    ['of several scripts', '印刷 drucker'],
    ['decomposed', 'Bu\u0308ro'],
  ])('are found %s', async (_how, text) => {
    expect(await idsOf(workspace.api, text, 'tickets')).toEqual([id]);
  });

  it.each(['drucker hovercrafts', 'cker', '機印', 'büro9'])('must all be there: %s', async (text) => {
    expect(await idsOf(workspace.api, text, 'tickets')).toEqual([]);
  });

  it.each(['🖨️🔥', '<b>', '0x', '% 7'])('may be hardly any: %s', async (text) => {
    const { meta } = await found(workspace.api, text);
    expect(meta).toMatchObject({ query: text });
  });
});

describe('companies', () => {
  it('come by name, domain and address; the very name first', async () => {
    const make = async (body: object): Promise<number> =>
      (await workspace.api.post('/companies', body)).expect(201).data.id;
    const acme = await make({ name: 'Acme', domains: ['acme.example'], email: 'office@acme.example', tier: 'gold' });
    const foods = await make({ name: 'Acme Foods', notes: 'Orders by phone' });
    expect(await idsOf(workspace.api, 'acme', 'companies')).toEqual([acme, foods]);
    expect(await idsOf(workspace.api, 'acme.example', 'companies')).toEqual([acme]);
    const { data } = await found(workspace.api, 'OFFICE@acme.example');
    expect(data.companies).toEqual([
      {
        id: acme,
        type: 'company',
        title: 'Acme',
        snippet: 'acme.example · <mark>office</mark>@<mark>acme</mark>.<mark>example</mark>'.replace(
          'acme.example',
          '<mark>acme</mark>.<mark>example</mark>',
        ),
        domains: ['acme.example'],
        email: 'office@acme.example',
        tier: 'gold',
        status: 'active',
        is_vip: false,
        score: expect.any(Number) as number,
        url: `${server.url}/v1/companies/${acme}`,
      },
    ]);
  });
});

describe('users', () => {
  it('come by name and address; those who left last, and marked', async () => {
    const make = async (name: string, email: string): Promise<number> =>
      (await workspace.api.post('/users', { name, email })).expect(201).data.id;
    const ada = await make('Ada Lindgren', 'ada@staff.example');
    const gone = await make('Ada Ferrari', 'ferrari@staff.example');
    (await workspace.api.patch(`/users/${gone}`, { status: 'deactivated' })).expect(200);
    const { data } = await found(workspace.api, 'ada');
    expect(data.users?.map(({ id, status }) => [id, status])).toEqual([
      [ada, expect.stringMatching(/^(active|invited)$/)],
      [gone, 'deactivated'],
    ]);
    const exact = await found(workspace.api, 'ferrari@staff.example');
    expect(exact.data.users?.[0]).toMatchObject({ id: gone, email: 'ferrari@staff.example', role: 'agent' });
    expect(await idsOf(workspace.api, 'ferrari ada', 'users')).toEqual([gone]);
  });
});
