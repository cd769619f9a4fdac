import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';

/** Something that belongs to a record and was deleted, so that what it said is to be forgotten. */
export interface Forgotten {
  /** The record whose events tell of it, e.g. `ticket`. */
  object: string;
  objectId: number;
  /** Its name in `related` of those events, e.g. `comment`. */
  member: string;
  /** Which of that name; null = all. */
  only: readonly number[] | null;
  /** Where it was stored: stored answers about it are known by that and its id, see `Transaction.about`. */
  table: string;
  /** Its members that go. */
  names: readonly string[];
  /** Names under which stored answers are about it, see `Transaction.about`. */
  about: readonly string[];
  /** What is stored of it: copies outlive events, which a workspace may keep for some days only. */
  said: { ids: readonly number[]; texts: readonly string[] };
}

/** Texts that a record said itself, as its events tell it, and says no more. */
export interface Replaced extends Pick<Forgotten, 'object' | 'objectId' | 'table' | 'names' | 'about'> {
  texts: readonly string[];
  instead: string;
}

/** What was taken out of the events. */
export interface Redacted extends Omit<Forgotten, 'said' | 'only'> {
  /** Event rows: `events.id` and the public id. */
  events: readonly { id: number; uid: string }[];
  /** Ids of what was forgotten. */
  ids: readonly number[];
  /** What it said, ever; without empty texts. */
  texts: readonly string[];
  /** Message-IDs of mails that told of it; redactors add those that they took the text out of. */
  mails: string[];
}

/** Takes texts out of copies that were made of events. */
export interface Redactor {
  /** Inside the unit of work that redacts; only the copies that the registering area owns. */
  redact(redacted: Redacted): Promise<void>;
  /** Once every redactor has done its part. */
  afterwards?(redacted: Redacted): Promise<void>;
}

/**
 * Makes the log forget what something said, and keep that it was there. Events are otherwise never changed: the role of
 * requests may not, functions of the system role may (`redact_related_events`, `redact_event_records`). Whoever keeps copies registers.
 */
@Injectable()
export class EventRedaction {
  private readonly redactors: Redactor[] = [];

  constructor(private readonly database: Database) {}

  register(redactor: Redactor): void {
    this.redactors.push(redactor);
  }

  /**
   * What an event relates to now, if a text has left it; null when it is as it ever was. For whoever writes down something made
   * of an event that was read earlier: until the end of the unit of work the event stays as it is, and a redaction that comes
   * later finds what was written.
   */
  async since(eventId: number): Promise<Record<string, unknown> | null> {
    const [row] = await this.database.query<{ related: Record<string, unknown> | null }>(
      `SELECT redacted_since($1) AS related`,
      [eventId],
    );
    return row?.related ?? null;
  }

  /** Inside the unit of work of the deletion. */
  async forget(forgotten: Forgotten): Promise<void> {
    const { object, objectId, member, only, names, said } = forgotten;
    const rows = await this.database.query<{ id: number; uid: string; related_id: number; texts: string[] }>(
      `SELECT id, uid, related_id, texts FROM redact_related_events($1, $2, $3, $4, $5)`,
      [object, objectId, member, only, names],
    );
    const ids = [...new Set([...said.ids, ...rows.map(({ related_id }) => related_id)])];
    if (ids.length === 0) return;
    await this.spread({
      ...{ object, objectId, member, names, table: forgotten.table, about: forgotten.about, ids },
      events: rows.map((row) => ({ id: row.id, uid: row.uid })),
      texts: [...new Set([...said.texts, ...rows.flatMap(({ texts }) => texts)])].filter((text) => text !== ''),
      mails: [],
    });
  }

  /** The same of the members of a record, where they say one of the texts: something stands in their place. */
  async replace({ texts, instead, ...replaced }: Replaced): Promise<void> {
    const { object, objectId, names } = replaced;
    const events = await this.database.query<{ id: number; uid: string }>(
      `SELECT id, uid FROM redact_event_records($1, $2, $3, $4, $5)`,
      [object, objectId, names, texts, instead],
    );
    await this.spread({ ...replaced, member: object, events, ids: [], texts, mails: [] });
  }

  private async spread(redacted: Redacted): Promise<void> {
    for (const redactor of this.redactors) await redactor.redact(redacted);
    for (const redactor of this.redactors) await redactor.afterwards?.(redacted);
  }
}
