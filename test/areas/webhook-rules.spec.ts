import fc from 'fast-check';
import { fitted, MAX_BODY_BYTES } from '../../src/areas/webhooks/delivery-body';
import { headersProblem, HIDDEN, hidden, revealed } from '../../src/areas/webhooks/webhook-headers';
import { secretHint, secretProblem } from '../../src/areas/webhooks/webhook-secret';
import { newSecret } from '../../src/platform/outbound/signature';

describe('a body', () => {
  const event = (data: unknown, changes: unknown = null): string =>
    JSON.stringify({ id: 'evt_1', type: 'ticket.updated', data, changes });

  it('that is small enough stays as it is, byte for byte', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(fitted(json)).toBe(json);
      }),
    );
  });

  it('that is too large fits afterwards, the same each time, and names what was cut', () => {
    const text = fc
      .integer({ min: 30_000, max: 120_000 })
      .chain((length) =>
        fc.constantFrom('x', '€', '😀', '"', '\u0001').map((unit) => unit.repeat(Math.ceil(length / unit.length))),
      );
    fc.assert(
      fc.property(text, text, text, text, (description, from, to, body) => {
        const whole = event(
          {
            object: 'ticket',
            id: 1,
            ticket: { subject: 'Jam', description, description2: description + from },
            comment: { body },
          },
          { description: { from, to } },
        );
        fc.pre(Buffer.byteLength(whole) > MAX_BODY_BYTES);
        const once = fitted(whole);
        expect(Buffer.byteLength(once)).toBeLessThanOrEqual(MAX_BODY_BYTES);
        expect(fitted(whole) === once).toBe(true);
        const cut = JSON.parse(once) as { data: { ticket: Record<string, string> }; truncated: string[]; id: string };
        expect(cut).toMatchObject({ id: 'evt_1', data: { ticket: { subject: 'Jam' } } });
        const rest = cut.data.ticket.description2 ?? '';
        expect(cut.truncated.length).toBeGreaterThan(0);
        expect(cut.truncated.includes('data.ticket.description2')).toBe(rest !== description + from);
        expect((description + from).startsWith(rest)).toBe(true);
        // Nothing is cut in the middle of a character.
        expect(Buffer.from(rest, 'utf8').toString('utf8') === rest).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('of very many texts fits, too', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, key) => [`k${key}`, Array(100).fill('y'.repeat(200)) as string[]]),
    );
    const once = fitted(event({ ticket: { custom_fields: many } }));
    expect(Buffer.byteLength(once)).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect((JSON.parse(once) as { truncated: string[] }).truncated).toHaveLength(100);
  });
});

describe('a secret', () => {
  it('made by the service is fine, and its hint tells only its end', () => {
    const secret = newSecret();
    expect(secretProblem(secret)).toBeNull();
    expect(secretHint(secret)).toBe(`...${secret.slice(-4)}`);
  });

  it('must have 24 to 64 bytes behind its prefix', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 80 }), (bytes) => {
        const problem = secretProblem(`whsec_${Buffer.from(bytes).toString('base64')}`);
        expect(problem === null).toBe(bytes.length >= 24 && bytes.length <= 64);
      }),
    );
    expect(secretProblem(`whsec_${Buffer.alloc(32).toString('base64').replace('=', '')}`)).not.toBeNull();
  });
});

describe('custom headers', () => {
  it('never hold what could end a header or begin another', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const accepted = headersProblem({ 'X-A': value }) === null;
        expect(accepted).toBe(/^[\x20-\x7e]*$/.test(value));
      }),
    );
    for (const name of [
      '__proto__',
      'a b',
      'a:b',
      '',
      'ä',
      'a\n',
      '-a',
      'x'.repeat(65),
      'Connection',
      'Proxy-Authorization',
      'Content-Encoding',
    ])
      expect([name, headersProblem(JSON.parse(`{${JSON.stringify(name)}:"x"}`))]).not.toEqual([name, null]);
  });

  it('sent back hidden are the stored ones, whatever the case of their names', () => {
    const stored = { 'X-One': '1', Authorization: 'Bearer abc' };
    expect(hidden(stored)).toEqual({ 'X-One': HIDDEN, Authorization: HIDDEN });
    expect(revealed(hidden(stored), stored)).toEqual(stored);
    expect(revealed({ authorization: HIDDEN, 'X-One': '2' }, stored)).toEqual({
      authorization: 'Bearer abc',
      'X-One': '2',
    });
    expect(revealed({ 'X-New': HIDDEN }, stored)).toEqual({ 'X-New': HIDDEN });
  });
});
