import fc from 'fast-check';
import { checksum, hashToken, isTokenShaped, makeToken } from '../../src/platform/auth/token-format';

describe('token format', () => {
  it('makes tokens of the documented shape that pass their own check', () => {
    const made = Array.from({ length: 500 }, (_, index) => makeToken(index % 2 ? 'developer' : 'tenant'));
    for (const token of made) {
      expect(token).toMatch(/^hd[dt]_[0-9A-Za-z]{38}$/);
      expect(isTokenShaped(token)).toBe(true);
    }
    expect(new Set(made).size).toBe(500);
    expect(made.filter((token) => token.startsWith('hdd_'))).toHaveLength(250);
  });

  it('uses every letter of the alphabet', () => {
    const letters = new Set(Array.from({ length: 300 }, () => makeToken('tenant').slice(4, 36)).join(''));
    expect(letters.size).toBe(62);
  });

  it('refuses a token in which any one character was changed', () => {
    const token = makeToken('developer');
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.stringMatching(/^[0-9A-Za-z]$/), (at, letter) => {
        fc.pre(token[at] !== letter);
        expect(isTokenShaped(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('refuses anything else', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isTokenShaped(text)));
    expect(isTokenShaped(`${makeToken('tenant')}0`)).toBe(false);
    expect(isTokenShaped('')).toBe(false);
  });

  it('pads the checksum and keeps it stable', () => {
    // CRC-32 of the empty string is 0, that of "123456789" is the published check value 0xCBF43926.
    expect(checksum('')).toBe('000000');
    expect(checksum('123456789')).toBe(base62(0xcbf43926));
  });

  it('is kept as SHA-256', () => {
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

function base62(value: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return value === 0 ? '' : base62(Math.floor(value / 62)) + alphabet.charAt(value % 62);
}
