import { createHmac, timingSafeEqual } from 'node:crypto';
import { verify } from '../support/github-signatures';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { newSecret, signatureHeaders } from '../../src/platform/outbound/signature';

const now = (): number => Math.floor(Date.now() / 1_000);
const bodies = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);
const ids = fc.stringMatching(/^evt_[0-9A-Za-z]{1,40}$/);

describe('signatures', () => {
  it('match the documented test vector', () => {
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
    const headers = signatureHeaders({ id: 'evt_1', timestampSeconds: 1_700_000_000, body: '{"a":1}', secret });
    // Computed with `openssl dgst -sha256 -mac HMAC`.
    expect(headers).toEqual({
      'X-Service-Signature': 'd3f1ea16147b8b8d0304fe2a9559b4b4b84d057af19b132191df3378cbd1234a',
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,hUVxIYXs8Zy9GDiZD1uQbBwXoZGMAB6RVLdZZ3ffmek=',
    });
  });

  it('are accepted by independent verifiers, and refused by them after any change', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, ids, fc.nat(), async (body, id, at) => {
        const secret = newSecret();
        const headers = signatureHeaders({ id, timestampSeconds: now(), body, secret });
        const tampered = changed(body, at);
        const hex = headers['X-Service-Signature'] ?? '';
        for (const library of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
          expect(accepts(library, body, headers)).toBe(true);
          expect(accepts(library, tampered, headers)).toBe(false);
          expect(accepts(library, body, { ...headers, 'webhook-id': `${id}0` })).toBe(false);
          expect(accepts(library, body, { ...headers, 'webhook-timestamp': String(now() - 360) })).toBe(false);
        }
        expect(await verify(secret, body, `sha256=${hex}`)).toBe(true);
        expect(await verify(secret, tampered, `sha256=${hex}`)).toBe(false);
        expect(await verify(newSecret(), body, `sha256=${hex}`)).toBe(false);
        const expected = createHmac('sha256', Buffer.from(secret)).update(Buffer.from(body)).digest();
        expect(timingSafeEqual(expected, Buffer.from(hex, 'hex'))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused when they are older than five minutes, although genuine', () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: 'evt_1', timestampSeconds: now() - 360, body: '{}', secret });
    expect(accepts(new StandardWebhook(secret), '{}', headers)).toBe(false);
    expect(accepts(new SvixWebhook(secret), '{}', headers)).toBe(false);
  });

  it('are made with both secrets while a rotation overlaps', async () => {
    const [secret, previousSecret] = [newSecret(), newSecret()];
    const body = '{"a":"ü"}';
    const headers = signatureHeaders({ id: 'evt_1', timestampSeconds: now(), body, secret, previousSecret });
    for (const each of [secret, previousSecret]) {
      expect(accepts(new StandardWebhook(each), body, headers)).toBe(true);
      expect(accepts(new SvixWebhook(each), body, headers)).toBe(true);
    }
    expect(accepts(new StandardWebhook(newSecret()), body, headers)).toBe(false);
    expect(await verify(secret, body, `sha256=${headers['X-Service-Signature']}`)).toBe(true);
    expect(await verify(previousSecret, body, `sha256=${headers['X-Service-Signature-Previous']}`)).toBe(true);
    expect(await verify(previousSecret, body, `sha256=${headers['X-Service-Signature']}`)).toBe(false);
  });

  it('sign text and its bytes alike, and secrets of the customer that are no base64', () => {
    fc.assert(
      fc.property(bodies, fc.stringMatching(/^[ -~]{16,64}$/), (body, secret) => {
        fc.pre(!secret.startsWith('whsec_'));
        const message = { id: 'evt_1', timestampSeconds: now(), secret };
        const headers = signatureHeaders({ ...message, body });
        expect(signatureHeaders({ ...message, body: Buffer.from(body) })).toEqual(headers);
        expect(accepts(new StandardWebhook(secret, { format: 'raw' }), body, headers)).toBe(true);
      }),
    );
  });

  it('are never made with an empty key', () => {
    for (const secret of ['', 'whsec_', 'whsec_====']) {
      expect(() => signatureHeaders({ id: 'evt_1', timestampSeconds: 1, body: '', secret })).toThrow(RangeError);
    }
  });

  it('use a new secret of 32 random bytes each time', () => {
    const secrets = Array.from({ length: 200 }, newSecret);
    expect(new Set(secrets).size).toBe(200);
    for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  });
});

function accepts(
  library: { verify(body: string, headers: Record<string, string>): unknown },
  body: string,
  headers: Record<string, string>,
): boolean {
  try {
    library.verify(body, headers);
    return true;
  } catch (error) {
    // The signature is checked first; a body that is no JSON is the reader's matter.
    return error instanceof SyntaxError;
  }
}

/** The body with one character replaced by another. */
function changed(body: string, at: number): string {
  const letters = Array.from(body);
  const index = at % letters.length;
  letters[index] = letters[index] === 'x' ? 'y' : 'x';
  return letters.join('');
}
