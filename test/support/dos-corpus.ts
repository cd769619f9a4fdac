/** Texts of at most so many characters that took, or might take, far more work than their length: by what they are made of. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'combining marks': (length) => `a${'\u0301\u0323'.repeat(length)}`.slice(0, length),
  'runs of 30 marks': (length) => `a${'\u0301\u0323'.repeat(15)}`.repeat(length).slice(0, length),
  'halfwidth voiced marks': (length) => `a${'\uff9e'.repeat(30)}`.repeat(length).slice(0, length),
  'characters that grow 18 times': (length) => '\ufdfa'.repeat(length),
  'squared words': (length) => '㌖'.repeat(length),
  'two scripts in turn': (length) => '漢a'.repeat(length).slice(0, length),
  'pairs of a script without spaces': (length) => '漢字い '.repeat(length).slice(0, length),
  'nothing but different words': (length) => words(length),
  'one long word': (length) => 'a'.repeat(length),
  'long words': (length) => `${'é'.repeat(61)} `.repeat(length).slice(0, length),
  blanks: (length) => `a${' '.repeat(Math.max(0, length - 2))}b`.slice(0, length),
  'line ends': (length) => 'a\n'.repeat(length).slice(0, length),
  'opening brackets': (length) => '['.repeat(length),
  'links of Markdown': (length) => '[a](b)'.repeat(length).slice(0, length),
  headings: (length) => '# a\n'.repeat(length).slice(0, length),
  quotes: (length) => '> > > > a\n'.repeat(length).slice(0, length),
  'opening tags': (length) => '<a '.repeat(length).slice(0, length),
  comments: (length) => '<!--'.repeat(length).slice(0, length),
  'template variables': (length) => '{{ticket.subject}}'.repeat(length).slice(0, length),
  'opening braces': (length) => '{{'.repeat(length).slice(0, length),
  commas: (length) => 'a,'.repeat(length).slice(0, length),
  dots: (length) => `a@${'a.'.repeat(length)}`.slice(0, length),
  'pairs of surrogates': (length) => '😀'.repeat(Math.floor(length / 2)),
  dashes: (length) => '-'.repeat(length),
  backslashes: (length) => '\\%_'.repeat(length).slice(0, length),
  digits: (length) => '9'.repeat(length),
};

/** Values of query parameters, some as long as a request line may be. */
export const hostileParameters: Readonly<Record<string, string>> = {
  commas: 'a,'.repeat(5_000),
  names: 'subject,status,'.repeat(700),
  numbers: '1,'.repeat(5_000),
  minuses: '-'.repeat(8_000),
  'short words': 'a b c d e f g h i j',
  'beginnings of words': 'a e i o u s t r n d',
  'mistyped words': 'abcdefghijk bcdefghijkl cdefghijklm defghijklmn efghijklmno fghijklmnop',
  'one word': 'x'.repeat(255),
  'growing characters': '\ufdfa'.repeat(250),
  'marks in runs of 30': `a${'\u0301'.repeat(30)}`.repeat(8),
  signs: '%_\\'.repeat(80),
  quotes: '"'.repeat(250),
  'a run without spaces': '漢字検索設定東京都'.repeat(25),
  moments: '9999-12-31T23:59:59.999Z',
  'the first moment': '0001-01-01T00:00:00Z',
  braces: '{[('.repeat(1_000),
};

/** Bodies that are no matter of one text: the path may name a record as `{tickets}`. */
export const hostileBodies: readonly { name: string; method: 'POST' | 'PATCH'; path: string; body: () => object }[] = [
  {
    name: 'a body nested 32 deep',
    method: 'POST',
    path: '/tickets',
    body: () => ({ subject: 'x', custom_fields: nested(30) }),
  },
  {
    name: 'a body of a thousand wide objects',
    method: 'POST',
    path: '/tickets',
    body: () => ({ subject: 'x', custom_fields: wide() }),
  },
  { name: 'a batch of heavy texts', method: 'POST', path: '/tickets/batch', body: () => batch() },
  {
    name: 'a tag list',
    method: 'POST',
    path: '/tickets',
    body: () => ({ subject: 'x', tags: Array.from({ length: 50 }, (_, at) => `${at}${'é'.repeat(45)}`) }),
  },
  {
    name: 'an article of half a megabyte',
    method: 'POST',
    path: '/kb/articles',
    body: () => ({ title: 'x', body: 'a\n\n'.repeat(174_000) }),
  },
  {
    name: 'an article of different words',
    method: 'POST',
    path: '/kb/articles',
    body: () => ({ title: 'x', body: words(520_000) }),
  },
  {
    name: 'an article of growing characters',
    method: 'POST',
    path: '/kb/articles',
    body: () => ({ title: 'x', body: '\ufdfa'.repeat(99_000) }),
  },
  {
    name: 'an article in two scripts',
    method: 'PATCH',
    path: '/kb/articles/{articles}',
    body: () => ({ body: '漢a'.repeat(120_000) }),
  },
  { name: 'a quote of 200 items', method: 'POST', path: '/quotes', body: () => quote() },
  { name: 'a policy of one minute a week', method: 'POST', path: '/sla', body: () => policy([['09:00', '09:01']]) },
  {
    name: 'a story of ten thousand years',
    method: 'POST',
    path: '/sla/{sla_policies}/simulate',
    body: () => story('0001-01-02', '9999-12-30'),
  },
  {
    name: 'a story of ten years',
    method: 'POST',
    path: '/sla/{sla_policies}/simulate',
    body: () => story('2020-01-01', '2029-12-30'),
  },
  {
    name: 'a meeting type open every other quarter of an hour',
    method: 'POST',
    path: '/meetings/types',
    body: () => meetingType(),
  },
  { name: 'expressions that go back and forth', method: 'POST', path: '/automations', body: () => rule() },
  {
    name: 'a ticket that meets those expressions',
    method: 'POST',
    path: '/tickets',
    body: () => ({ subject: 'a'.repeat(255), description: 'a'.repeat(65_536) }),
  },
  {
    name: 'conditions within conditions',
    method: 'POST',
    path: '/automations',
    body: () => ({ ...rule(), conditions: deepConditions(12) }),
  },
];

function words(length: number): string {
  let text = '';
  for (let number = 0; text.length < length; number++) text += `${number.toString(36)}q `;
  return text.slice(0, length);
}

function nested(depth: number): object {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

function wide(): object {
  return Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`k${at}`, Array.from({ length: 100 }, () => 'x'.repeat(100))]),
  );
}

function batch(): object {
  const data = { subject: '漢a'.repeat(120), description: '漢a'.repeat(3_000) };
  return { operations: Array.from({ length: 50 }, () => ({ op: 'create', data })) };
}

function quote(): object {
  const item = {
    name: '漢字'.repeat(60),
    description: '\ufdfa'.repeat(500),
    quantity: 3,
    unit_price: 9.99,
    tax_rate: 19,
  };
  return { title: 'x', currency: 'EUR', notes: 'é'.repeat(10_000), items: Array.from({ length: 200 }, () => item) };
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function policy(hours: string[][]): object {
  const far = { first_response_minutes: 5_000, resolution_minutes: 5_000 };
  return {
    name: `Slow ${Math.random()}`,
    targets: { urgent: far, high: far, medium: far, low: far },
    schedule: { mode: 'business_hours', timezone: 'America/New_York', weekly: { mon: hours }, holidays: holidays() },
  };
}

function holidays(): object[] {
  return Array.from({ length: 500 }, (_, at) => ({
    date: new Date(Date.UTC(2020, 0, 1 + at * 7)).toISOString().slice(0, 10),
  }));
}

function story(from: string, to: string): object {
  const timeline = Array.from({ length: 200 }, (_, at) => ({
    at: `${to}T08:00:00.${String(at).padStart(3, '0')}Z`,
    status: at % 2 ? 'open' : 'on_hold',
  }));
  return { created_at: `${from}T08:00:00Z`, priority: 'high', timeline };
}

function meetingType(): object {
  const quarters = Array.from({ length: 12 }, (_, at) => [
    `${String(at * 2).padStart(2, '0')}:00`,
    `${String(at * 2).padStart(2, '0')}:15`,
  ]);
  const weekly = Object.fromEntries(days.map((day) => [day, quarters]));
  return {
    name: `Slow ${Math.random()}`,
    duration_minutes: 5,
    schedule: { mode: 'business_hours', timezone: 'Europe/Berlin', weekly },
  };
}

function rule(): object {
  const patterns = [
    '(a?a?a?a?a?a?a?a?a?a?)*b',
    '(x|(a|(a|(a|(a|a)*)*)*)*)*b',
    '(.*a){20}b',
    '\\pL{100}\\d',
    '(?i)(a|ä|á|à)*z',
  ];
  return {
    name: `Slow ${Math.random()}`,
    trigger: 'ticket.created',
    conditions: { all: patterns.map((value) => ({ field: 'description', op: 'matches', value })) },
    actions: [{ type: 'stop' }],
  };
}

function deepConditions(depth: number): object {
  const leaf = { field: 'subject', op: 'contains', value: 'a' };
  return depth === 0 ? { all: [leaf] } : { any: [leaf, deepConditions(depth - 1)] };
}
