import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../folder';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret in the database cannot be read, or would be written so that other nodes cannot. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/** Encrypts secrets that must be kept readable (signing secrets, passwords of mail servers): AES-256-GCM. */
@Injectable()
export class SecretBox implements OnModuleInit {
  private readonly key: Buffer;

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'secretsKey' | 'dataDir'>,
  ) {
    this.key = config.secretsKey ?? keptKey(config.dataDir);
  }

  /** Every node on one database must hold the same key: the first one leaves a mark to compare with. */
  async onModuleInit(): Promise<void> {
    const mark = markOf(this.key);
    const [fact] = await this.database.system(async () => {
      await this.database.query(
        `INSERT INTO platform_facts (name, value) VALUES ('secrets_key', $1) ON CONFLICT DO NOTHING`,
        [mark],
      );
      return this.database.query<{ value: string }>(`SELECT value FROM platform_facts WHERE name = 'secrets_key'`);
    });
    if (fact?.value !== mark) {
      throw new SecretsKeyError(
        'The secrets in this database were encrypted with another key: set SECRETS_KEY to the one its other nodes use, ' +
          'or copy their DATA_DIR/secrets-key here.',
      );
    }
  }

  /** Base64 of nonce, tag and ciphertext. */
  seal(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  }

  /** Keyed digest of a text, 32 bytes; texts of one purpose say nothing about those of another (HMAC-SHA256). */
  mac(purpose: string, text: string): Buffer {
    const key = createHmac('sha256', this.key).update(`helpdesk-api ${purpose}`).digest();
    return createHmac('sha256', key).update(text).digest();
  }

  /** @throws SecretsKeyError when the text was not sealed with this key */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      throw new SecretsKeyError('A secret cannot be decrypted with the key of this node.');
    }
  }
}

/** What a database keeps of the key: enough to recognise it, too little to decrypt with. */
export function markOf(key: Buffer): string {
  return createHmac('sha256', key).update('helpdesk-api secrets').digest('hex');
}

/** Where an installation keeps the key that was made for it. */
export function keyFile(dataDir: string): string {
  return join(dataDir, 'secrets-key');
}

/** The key of this installation, made on first use; the exclusive creation lets two processes agree on one. */
export function keptKey(dataDir: string): Buffer {
  const file = keyFile(dataDir);
  if (!existsSync(file)) {
    try {
      makeFolder(dataDir);
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
      closeSync(handle);
    } catch (error) {
      if (!existsSync(file))
        throw new SecretsKeyError(
          `The secrets key cannot be kept in ${file} (${(error as Error).message}); set SECRETS_KEY, or DATA_DIR to a directory this user may write.`,
        );
    }
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== 32)
    throw new SecretsKeyError(`${file} must hold 64 hexadecimal digits; restore it from a backup.`);
  return key;
}
