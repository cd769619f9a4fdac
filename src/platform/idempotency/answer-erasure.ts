import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { personalTables, lossesOf } from '../privacy/inventory';
import { type Keeper, Keepers } from '../privacy/keepers';
import type { Person } from '../privacy/person';
import type { Place, Step } from '../privacy/sweeper';
import { SecretBox } from '../secrets/secret-box';
import { isRecord, ownJson } from '../text/json';

const BATCH = 50;

interface Kept {
  key: string;
  /** Sealed. */
  body: string;
  about: string[];
}

/** A record of the person that an answer may show. */
interface Theirs {
  object: string;
  record_id: number;
}

/** Takes people out of answers that are kept for their Idempotency-Key: sent again, they show what the record would show now. */
@Injectable()
export class AnswerErasure implements Keeper, OnModuleInit {
  readonly name = 'idempotency_keys';

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly keepers: Keepers,
  ) {}

  onModuleInit(): void {
    this.keepers.register(this);
  }

  async step(person: Person, from: Place): Promise<Step> {
    const kept = await this.database.query<Kept>(
      `SELECT key, convert_from(body, 'UTF8') AS body, about FROM idempotency_keys
       WHERE workspace_id = $1 AND key > $2 AND body IS NOT NULL AND created_at <= $3::timestamptz ORDER BY key LIMIT ${BATCH}`,
      [person.workspaceId, from?.[0] ?? '', person.copiesBefore],
    );
    const theirs = await this.theirs(
      person,
      kept.flatMap(({ about }) => about),
    );
    let changed = 0;
    for (const answer of kept) if (await this.rewrite(person, answer, theirs)) changed++;
    const last = kept.at(-1);
    return { place: kept.length === BATCH && last ? [last.key] : null, changed, own: 0, names: [] };
  }

  /** Which of the records that answers are about (`tickets:17`) are the person's. */
  private async theirs({ workspaceId, erasureId }: Person, about: readonly string[]): Promise<Map<string, Theirs>> {
    const named = [...new Set(about)].flatMap((name) => {
      const [table, id] = name.split(':');
      const object = personalTables().find((each) => each.table === table)?.own?.object;
      return object === undefined ? [] : [{ name, object, id: Number(id) }];
    });
    const rows = await this.database.query<Theirs & { name: string }>(
      `SELECT n.name, x.object, x.record_id FROM json_to_recordset($3::json) AS n(name text, object text, id bigint)
       JOIN erased_records x ON x.workspace_id = $1 AND x.erasure_id = $2 AND x.object = n.object AND x.record_id = n.id`,
      [workspaceId, erasureId, JSON.stringify(named)],
    );
    return new Map(rows.map(({ name, ...one }) => [name, one]));
  }

  private async rewrite(
    person: Person,
    { key, body, about }: Kept,
    all: ReadonlyMap<string, Theirs>,
  ): Promise<boolean> {
    const text = body.startsWith('{') ? body : this.secrets.open(body);
    const theirs = about.flatMap((name) => all.get(name) ?? []);
    const rest = JSON.stringify(person.scrubber.json(without(ownJson(text), theirs), theirs.length > 0));
    if (rest === text || rest === JSON.stringify(ownJson(text))) return false;
    await this.database.query(
      `UPDATE idempotency_keys SET body = $3 WHERE workspace_id = $1 AND key = $2 AND convert_from(body, 'UTF8') = $4`,
      [person.workspaceId, key, Buffer.from(this.secrets.seal(rest)), body],
    );
    return true;
  }
}

/** Records without what they lose: those with the id of one of theirs, and those that do not say who they are. */
function without(value: unknown, theirs: readonly Theirs[]): unknown {
  if (theirs.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => without(item, theirs));
  if (!isRecord(value)) return value;
  const losses = theirs
    .filter(({ record_id: id }) => !('id' in value) || value.id === id)
    .map(({ object }) => lossesOf(object));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const loss = losses.find((each) => name in each);
      return [name, loss && member !== null ? loss[name] : without(member, theirs)];
    }),
  );
}
