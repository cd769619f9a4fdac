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

/** An answer that is one new record and nothing else: kept as the event of its creation, and found there when it is sent again. */
export interface ByEvent {
  /** Public id of the event. */
  eventUid: string;
  status: number;
  /** Text of the answer behind the record. */
  ending: string;
}

/** How an answer that was kept by its event is told again. */
export type Retold = (json: string, ending: string) => Pick<StoredAnswer, 'headers' | 'body'>;

/** The key could not be claimed yet; nothing has been done, so the unit of work may be tried again. */
export class KeyIsBusy extends Error {}

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';

const COLUMNS = 'workspace_id, key, fingerprint, created_at, expires_at';
const VALUES = `$1, $2, $3, now(), now() + interval '24 hours'`;

/** With what the answer is going to be, which counts once the unit of work has committed; else `SAVE` says otherwise. */
const TAKE = `INSERT INTO idempotency_keys (${COLUMNS}, status, event_uid, ending) VALUES (${VALUES}, $4, $5, $6)`;

const CLAIM = `
  INSERT INTO idempotency_keys AS k (${COLUMNS}) VALUES (${VALUES})
  ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, about = '{}', event_uid = NULL, ending = NULL,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= now()
  RETURNING 1`;

const READ = `
  SELECT k.fingerprint, k.status, k.headers, convert_from(k.body, 'UTF8') AS body, k.ending, e.data::text AS record
  FROM idempotency_keys k LEFT JOIN events e ON e.workspace_id = k.workspace_id AND e.uid = k.event_uid
  WHERE k.workspace_id = $1 AND k.key = $2 AND k.status IS NOT NULL`;

const SAVE = `
  UPDATE idempotency_keys SET fingerprint = $7, status = $3, headers = $4, body = $5, about = $6::text[], event_uid = NULL, ending = NULL, expires_at = now() + interval '24 hours'
  WHERE workspace_id = $1 AND key = $2`;

/** A finished answer as its row has it: with a body of its own, or by its event. */
type StoredRow = Pick<StoredAnswer, 'fingerprint' | 'status'> &
  (
    | { headers: Record<string, string>; body: string; ending: null; record: null }
    | { headers: null; body: null; ending: string; record: string }
  );

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
   * @param retold for routes whose answers are kept by their events
   * @returns null when the key is ours now; the stored answer when an earlier request finished with it
   * @throws KeyIsBusy when the session's lock_timeout ends the wait
   */
  async claim(key: string, fingerprint: Buffer, retold: Retold | null): Promise<StoredAnswer | null> {
    const workspaceId = currentWorkspaceId();
    const { claimed, stored } = await this.database
      .batch({
        claimed: sql<object>(CLAIM, [workspaceId, key, fingerprint]),
        stored: sql<StoredRow>(READ, [workspaceId, key]),
      })
      .catch((error: unknown) => {
        throw sqlState(error) === LOCK_NOT_AVAILABLE ? new KeyIsBusy() : error;
      });
    if (claimed.length > 0) return null;
    const [answer] = stored;
    // Pruned between the two statements: the next attempt will claim it.
    if (!answer) throw new KeyIsBusy();
    const { fingerprint: of, status, headers, body, ending, record } = answer;
    // Told by nobody but the route that kept it; of any other request the fingerprint is compared, and refused.
    if (body === null) return { fingerprint: of, status, ...(retold?.(record, ending) ?? { headers: {}, body: '' }) };
    // JSON in the clear was stored before bodies were sealed.
    return { fingerprint: of, status, headers, body: body.startsWith('{') ? body : this.secrets.open(body) };
  }

  /**
   * Takes a key that nobody has, in the flush of the first statement of `work`: PostgreSQL skips that one when the key is not free.
   *
   * @param answer what `work` may turn out to answer: nothing has to be saved then
   * @throws KeyIsBusy when it is not, or `work` ended, in whatever way, before its first statement
   */
  async claimWith<T>(key: string, fingerprint: Buffer, answer: ByEvent, work: () => Promise<T>): Promise<T> {
    const transaction = current().transaction;
    const { status, eventUid, ending } = answer;
    transaction?.openWith(sql(TAKE, [currentWorkspaceId(), key, fingerprint, status, eventUid, ending]));
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
