import fc from 'fast-check';
import { dealt, kindOfValue, rationed, useHostility } from '../support/hostile';
import { bodyOf } from '../support/isolation';
import { type Operation, requiredSample } from '../support/operations';
import { flawOf } from '../support/uniform';
import { until } from '../support/until';

const stage = useHostility();

it('reads the same again and again', async () => {
  const missing: string[] = [];
  for (const operation of stage.operations.filter(({ method }) => method === 'GET')) {
    const { path } = operation;
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) statuses.push((await stage.send(operation)).status);
    expect([path, ...new Set(statuses)]).toEqual([path, statuses[0]]);
    if (path.endsWith('}') && statuses[0] !== 200) missing.push(path);
  }
  // Their ids are no numbers: `events.spec` reads one.
  expect(missing).toEqual(['/events/{id}']);
});

describe('a hostile id', () => {
  const ids = [
    '0',
    '-1',
    '07',
    '7.0',
    '1e308',
    '2147483648',
    '9007199254740992',
    '9007199254740993',
    '18446744073709551616',
    'NaN',
    '%00',
    '%F0%9F%98%80',
    "1'--",
    '__proto__',
    'constructor',
    '../1',
    'x'.repeat(300),
  ];

  it('in the path of any operation is a record that does not exist', async () => {
    const share = rationed(ids, 1);
    for (const operation of stage.operations.filter(({ slots }) => slots.length > 0)) {
      const { method, slots } = operation;
      const asking = share(`${method} ${slots.length}`).map(async (id) => {
        const path = operation.path
          .replace(/\{\w+\}(?!.*\{)/, id.startsWith('%') ? id : encodeURIComponent(id))
          .replace(/\{\w+\}/, String(stage.own.tickets));
        const body = operation.uploads ? Buffer.from('x') : bodyOf(operation, stage.own);
        const answer = await stage.workspace.api.send(method, path, { body });
        return [method, operation.path, id, flawOf(answer), answer.status];
      });
      for (const seen of await Promise.all(asking)) expect(seen).toEqual([...seen.slice(0, 3), null, 404]);
    }
  });
});

describe('a hostile body', () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const bodies: [string, string | Buffer, number][] = [
    ['malformed JSON', '{"subject":', 422],
    ['a list', '[]', 422],
    ['a text', '"x"', 422],
    ['null', 'null', 422],
    ['33 levels', deep(33), 422],
    ['100,000 levels', deep(100_000), 422],
    ['__proto__', '{"__proto__":{"polluted":true}}', 422],
    ['constructor', '{"constructor":{"prototype":{"polluted":true}}}', 422],
    ['nested __proto__', '{"custom_fields":{"__proto__":{"polluted":true}}}', 422],
    ['unknown fields', '{"zzz":1,"workspace_id":1,"toString":1}', 422],
    ['invalid UTF-8', Buffer.from('7b22617b223a22ff227d', 'hex'), 422],
    ['UTF-16', Buffer.from('{"subject":"x"}', 'utf16le'), 422],
    ['a byte order mark', Buffer.from('efbbbf7b7d', 'hex'), 422],
    ['2 MiB', Buffer.alloc(2 * 1024 * 1024, 'x'), 413],
  ];

  it('is refused by every operation', async () => {
    const share = rationed(bodies, 1);
    for (const operation of stage.writes()) {
      const { method, path } = operation;
      const sending = share(`${method} ${operation.body !== null}`).map(async ([name, body, status]) => {
        const answer = await stage.send(operation, '', body);
        // A file may be anything.
        if (!operation.uploads) expect([method, path, name, answer.status]).toEqual([method, path, name, status]);
      });
      await Promise.all(sending);
    }
  });

  it('is refused by every operation when it is something else than JSON', async () => {
    const share = rationed(
      [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'a/b/c',
        'null',
      ],
      1,
    );
    for (const operation of stage.writes().filter(({ body }) => body)) {
      const sending = share(operation.method).map(async (type) => {
        const answer = await stage.send(operation, '', '{"subject":"x"}', { 'content-type': type });
        expect([operation.path, type, answer.status]).toEqual([operation.path, type, 415]);
      });
      await Promise.all(sending);
    }
  });

  const values = [
    null,
    {},
    'a\0b',
    '\ud800',
    2 ** 53,
    1e308,
    '',
    '\u202e\ufffe',
    "'; DROP TABLE tickets; --",
    'x'.repeat(70_000),
    true,
    [],
    [null],
    -1,
    1.5,
    2 ** 31,
  ];

  it('in any field of any operation is answered without a failure', async () => {
    const share = dealt(values);
    const met = new Set<string>();
    for (const operation of stage.writes()) {
      const required = operation.body ? requiredSample(operation.body) : {};
      for (const [field, schema] of Object.entries(operation.body?.properties ?? {})) {
        // A change takes what the creation takes, by the same rules.
        const member = `${operation.path.split('/{')[0]} ${field} ${kindOfValue(schema)}`;
        if (met.size === met.add(member).size) continue;
        const sending = share(kindOfValue(schema), field).map(async (value) => {
          // JSON.stringify writes a lone surrogate as an escape, which is what a client can send.
          const answer = await stage.send(operation, '', JSON.stringify({ ...required, [field]: value }));
          const bad = typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
          if (bad) expect([operation.path, field, answer.status]).toEqual([operation.path, field, 422]);
        });
        await Promise.all(sending);
      }
    }
  });
});

describe('fuzzing every operation', () => {
  const name = fc.oneof(
    fc.constantFrom('page', 'per_page', 'sort', 'fields', 'expand', 'q', 'ids', 'status', 'created_after', 'position'),
    fc.string({ maxLength: 8 }),
  );
  const query = fc.dictionary(name, fc.string({ unit: 'binary', maxLength: 20 }), { maxKeys: 3 });
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('open', '2026-01-01T00:00:00Z', 'a@b.example', '$a'),
  );
  const value = fc.oneof(
    text,
    fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(null, true, [], {}),
  );
  const encode = (pairs: Record<string, string>): string => {
    const parts = Object.entries(pairs).map(
      ([key, item]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(item.toWellFormed())}`,
    );
    return parts.length ? `?${parts.join('&')}` : '';
  };

  it('finds no failure, with any JSON as body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        query,
        fc.option(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { nil: undefined }),
        async (pick, pairs, body) => {
          const operation = stage.operations[pick % stage.operations.length] as Operation;
          await stage.send(operation, encode(pairs), operation.method === 'GET' ? undefined : JSON.stringify(body));
        },
      ),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('finds no failure, with any values in the fields there are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.infiniteStream(value), fc.infiniteStream(fc.nat()), async (pick, values, dice) => {
        const all = stage.writes();
        const operation = all[pick % all.length] as Operation;
        const fields = Object.keys(operation.body?.properties ?? {});
        const next = (): unknown => values.next().value;
        const body: Record<string, unknown> = operation.body ? requiredSample(operation.body) : {};
        const count = 1 + (Number(dice.next().value) % 4);
        for (let index = 0; index < count; index++) {
          const field = fields[Number(dice.next().value) % Math.max(1, fields.length)];
          if (field !== undefined) body[field] = next();
        }
        await stage.send(operation, '', JSON.stringify(body));
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

it('leaves the service as it was', async () => {
  expect((await stage.workspace.api.get(`/tickets/${stage.own.tickets}`)).status).toBe(200);
  // A check that came late on a busy machine says for a second that something is away.
  await until('the health is good', async () => (await stage.workspace.api.get('/health')).body.status === 'ok');
});
