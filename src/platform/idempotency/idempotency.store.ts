import { Injectable, type OnModuleInit } from '@nestjs/common';
import { current, currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { sqlState } from '../database/database-errors';
import { EventRedaction, type Redacted, type Redactor } from '../events/event-redaction';
import { sql } from '../postgres/statement-batch';
import { SecretBox } from '../secrets/secret-box';

/** A finished answer, as it will be sent again. */
export interface StoredAnswer {
  fingerprint: Buffer;
  status: number;
  headers: Record<string, string>;
  /** The exact text of the body. */
  body: string;
}

/** The key could not be claimed yet; nothing has been done, so the unit of work may be tried again. */
export class KeyIsBusy extends Error {}

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';

const TAKE = `
  INSERT INTO idempotency_keys AS k (workspace_id, key, fingerprint, created_at, expires_at)
  VALUES ($1, $2, $3, now(), now() + interval '24 hours')`;

const CLAIM = `${TAKE}
  ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, about = '{}',
        created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= now()
  RETURNING 1`;

const READ = `
  SELECT fingerprint, status, headers, convert_from(body, 'UTF8') AS body
  FROM idempotency_keys WHERE workspace_id = $1 AND key = $2 AND status IS NOT NULL`;

const SAVE = `
  UPDATE idempotency_keys SET fingerprint = $7, status = $3, headers = $4, body = $5, about = $6::text[], expires_at = now() + interval '24 hours'
  WHERE workspace_id = $1 AND key = $2`;

/** Rows of `idempotency_keys`, inside the current unit of work. Bodies are sealed: some answers show a secret, once. */
@Injectable()
export class IdempotencyStore implements Redactor, OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
  }

  /**
   * Takes the key for this unit of work. A concurrent unit of work with the same key makes this wait on the unique
   * index until it commits or rolls back.
   *
   * @returns null when the key is ours now; the stored answer when an earlier request finished with it
   * @throws KeyIsBusy when the session's lock_timeout ends the wait
   */
  async claim(key: string, fingerprint: Buffer): Promise<StoredAnswer | null> {
    const workspaceId = currentWorkspaceId();
    const { claimed, stored } = await this.database
      .batch({
        claimed: sql<object>(CLAIM, [workspaceId, key, fingerprint]),
        stored: sql<StoredAnswer>(READ, [workspaceId, key]),
      })
      .catch((error: unknown) => {
        throw sqlState(error) === LOCK_NOT_AVAILABLE ? new KeyIsBusy() : error;
      });
    if (claimed.length > 0) return null;
    const [answer] = stored;
    // Pruned between the two statements: the next attempt will claim it.
    if (!answer) throw new KeyIsBusy();
    // JSON in the clear was stored before bodies were sealed.
    return answer.body.startsWith('{') ? answer : { ...answer, body: this.secrets.open(answer.body) };
  }

  /**
   * Takes a key that nobody has, in the flush of the first statement of `work`: PostgreSQL skips that one when the key is not free.
   *
   * @throws KeyIsBusy when it is not, or `work` ended, in whatever way, before its first statement
   */
  async claimWith<T>(key: string, fingerprint: Buffer, work: () => Promise<T>): Promise<T> {
    const transaction = current().transaction;
    transaction?.openWith(sql(TAKE, [currentWorkspaceId(), key, fingerprint]));
    try {
      const value = await work();
      if (transaction?.isOpen) return value;
    } catch (error) {
      const state = transaction?.refusal ? sqlState(transaction.refusal) : undefined;
      if (transaction?.isOpen && state !== UNIQUE_VIOLATION && state !== LOCK_NOT_AVAILABLE) throw error;
    }
    throw new KeyIsBusy();
  }

  /** Stores the answer beside what the unit of work has written, in the flush of its commit. */
  save(key: string, { fingerprint, status, headers, body }: StoredAnswer): void {
    const { transaction } = current();
    const sealed = Buffer.from(this.secrets.seal(body));
    const about = [...(transaction?.about ?? [])];
    const values = [currentWorkspaceId(), key, status, JSON.stringify(headers), sealed, about, fingerprint];
    transaction?.beforeCommit.push({ text: SAVE, values });
  }

  /** Answers that show what is to be forgotten are given again without it. */
  async redact(redacted: Redacted): Promise<void> {
    const own = redacted.ids.map((id) => `${redacted.table}:${id}`);
    const rows = await this.database.query<{ key: string; body: string; own: boolean }>(
      `SELECT key, convert_from(body, 'UTF8') AS body, about && $3::text[] AS own FROM idempotency_keys
       WHERE workspace_id = $1 AND body IS NOT NULL AND (about && $2::text[] OR about && $3::text[]) FOR UPDATE`,
      [currentWorkspaceId(), redacted.about, own],
    );
    for (const { key, body, own: isOwn } of rows) {
      const text = body.startsWith('{') ? body : this.secrets.open(body);
      const rest = JSON.stringify(without(JSON.parse(text), { ...redacted, isOwn }));
      await this.database.query(`UPDATE idempotency_keys SET body = $3 WHERE workspace_id = $1 AND key = $2`, [
        currentWorkspaceId(),
        key,
        Buffer.from(this.secrets.seal(rest)),
      ]);
    }
  }
}

/**
 * The value without the members in question: of the records themselves, of what shows no id in an answer about them (`isOwn`,
 * e.g. with `fields=custom_fields`), and wherever they have one of the texts. What is left is what the operation answers: an
 * empty text, list or object.
 */
function without(value: unknown, redacted: Pick<Redacted, 'ids' | 'names' | 'texts'> & { isOwn: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, redacted));
  if (typeof value !== 'object' || value === null) return value;
  const { ids, names, texts, isOwn } = redacted;
  const members = value as Record<string, unknown>;
  const isIt =
    'id' in members
      ? names.some((name) => name in members && name !== 'custom_fields') && ids.includes(members.id as number)
      : isOwn;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const goes = names.includes(name) && (isIt || (typeof member === 'string' && texts.includes(member)));
      return [name, goes ? emptied(member) : without(member, redacted)];
    }),
  );
}

function emptied(member: unknown): unknown {
  if (typeof member === 'string') return '';
  if (Array.isArray(member)) return [];
  return typeof member === 'object' && member !== null ? {} : null;
}
