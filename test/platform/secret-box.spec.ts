import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import { SecretBox, SecretsKeyError } from '../../src/platform/secrets/secret-box';
import { startApp, useApp } from '../support/app';

const server = useApp();

function box(key: Buffer | null, dataDir = ''): SecretBox {
  return new SecretBox(server.app.get(Database), { secretsKey: key, dataDir });
}

describe('sealed secrets', () => {
  const key = randomBytes(32);

  it('can be opened with the same key only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        const sealed = box(key).seal(secret);
        expect(box(key).open(sealed)).toBe(secret);
        expect(() => box(randomBytes(32)).open(sealed)).toThrow(SecretsKeyError);
      }),
      { numRuns: 50 },
    );
  });

  it('never look the same twice, and a changed byte is noticed', () => {
    const [first, second] = [box(key).seal('secret'), box(key).seal('secret')];
    expect(first).not.toBe(second);
    const bytes = Buffer.from(first, 'base64');
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    expect(() => box(key).open(bytes.toString('base64'))).toThrow(SecretsKeyError);
    expect(() => box(key).open('')).toThrow(SecretsKeyError);
  });

  it('share the key that an installation made for itself', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-secrets-'));
    try {
      const sealed = box(null, dataDir).seal('secret');
      expect(existsSync(join(dataDir, 'secrets-key'))).toBe(true);
      expect(statSync(join(dataDir, 'secrets-key')).mode & 0o077).toBe(0);
      expect(box(null, dataDir).open(sealed)).toBe('secret');
      writeFileSync(join(dataDir, 'secrets-key'), 'cut short');
      expect(() => box(null, dataDir)).toThrow(/64 hexadecimal digits/);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('keep a node from starting with another key than the others', async () => {
    await expect(startApp({ secretsKey: randomBytes(32) })).rejects.toThrow(/set SECRETS_KEY/);
  });
});
