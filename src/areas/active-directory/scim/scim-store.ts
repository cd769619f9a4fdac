import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { violatedConstraint } from '../../../platform/database/database-errors';
import type { Content } from './protocol/content';
import { refuse } from './protocol/fault';
import { folded } from './protocol/folding';
import type { ResourceType } from './protocol/schema';
import { type Keys, keysOf } from './scim-keys';

/** A user or group as a client has it here. */
export interface Stored {
  id: string;
  version: number;
  content: Content;
  created_at: string;
  updated_at: string;
}

/** Ids are made here. */
const ID = /^[\da-f-]{36}$/;
/** Users and groups of one connection. */
const MAX_RESOURCES = 200_000;
const COLUMNS = 'r.id, r.revision AS version, r.content, r.created_at, r.updated_at';
/** Resources of one statement. */
const CHUNK = 500;

/** What clients of SCIM have told. Runs take it from here; each statement is inside a unit of work. */
@Injectable()
export class ScimStore {
  constructor(private readonly database: Database) {}

  async find(type: ResourceType, connectionId: number, id: string, isToChange = false): Promise<Stored | null> {
    if (!ID.test(id)) return null;
    const [row] = await this.database.query<Stored>(
      `SELECT ${COLUMNS} FROM scim_resources r WHERE workspace_id = $1 AND id = $2 AND connection_id = $3 AND kind = $4 AND NOT is_deleted${isToChange ? ' FOR UPDATE' : ''}`,
      [currentWorkspaceId(), id, connectionId, type.kind],
    );
    return row ?? null;
  }

  async insert(type: ResourceType, connectionId: number, content: Content): Promise<Stored> {
    const keys = keysOf(type, content);
    await this.requireRoom(connectionId);
    const rows = await this.database.query<Stored>(
      `INSERT INTO scim_resources AS r (workspace_id, connection_id, kind, id, name, name_key, external_id, email_key, content, folded)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [currentWorkspaceId(), connectionId, type.kind, randomUUID(), ...values(keys), ...kept(type, content)],
    );
    return rows[0] ?? this.refuseTaken(type, keys);
  }

  /** The next version, which the next run takes. */
  async write(type: ResourceType, connectionId: number, { id }: Stored, content: Content): Promise<Stored> {
    const keys = keysOf(type, content);
    if (await this.isTaken(type, connectionId, id, keys)) this.refuseTaken(type, keys);
    try {
      const rows = await this.database.query<Stored>(
        `UPDATE scim_resources r SET name = $3, name_key = $4, external_id = $5, email_key = $6, content = $7, folded = $8,
           revision = revision + 1, updated_at = now(), run_id = NULL
         WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [currentWorkspaceId(), id, ...values(keys), ...kept(type, content)],
      );
      return rows[0] ?? this.refuseTaken(type, keys);
    } catch (error) {
      // Somebody else was given the name a moment ago.
      if (violatedConstraint(error) === 'uq_scim_resources_user_name') this.refuseTaken(type, keys);
      throw error;
    }
  }

  /** It is nobody's any more, and told as that to the next run. */
  async remove({ id }: Stored): Promise<void> {
    await this.database.query(
      'DELETE FROM scim_members WHERE workspace_id = $1 AND (group_id = $2 OR member_id = $2)',
      [currentWorkspaceId(), id],
    );
    await this.database.query(
      `UPDATE scim_resources SET is_deleted = true, content = '{}', folded = '{}', external_id = NULL, email_key = NULL, name = '', name_key = '',
         revision = revision + 1, updated_at = now(), run_id = NULL
       WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id],
    );
  }

  /**
   * Resources, called `r`, in an order, else in that of their making.
   *
   * @param limit null = all that there are
   */
  page(
    type: ResourceType,
    connectionId: number,
    { condition, order, bound }: Condition,
    limit: number | null,
    offset = 0,
  ): Promise<Stored[]> {
    const part = limit === null ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
    return this.database.query<Stored>(
      `SELECT ${COLUMNS} FROM scim_resources r ${THOSE}${condition} ORDER BY ${order}r.created_at, r.id${part}`,
      [currentWorkspaceId(), connectionId, type.kind, ...bound],
    );
  }

  async count(type: ResourceType, connectionId: number, { condition, bound, ofCondition }: Condition): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM scim_resources r ${THOSE}${condition}`,
      [currentWorkspaceId(), connectionId, type.kind, ...bound.slice(0, ofCondition)],
    );
    return row?.n ?? 0;
  }

  /** What was kept before anything was asked for by its values can be asked for from now on. */
  async foldAll(type: ResourceType, connectionId: number): Promise<void> {
    for (;;) {
      const rows = await this.database.query<Pick<Stored, 'id' | 'content'>>(
        `SELECT r.id, r.content FROM scim_resources r ${THOSE} AND r.folded IS NULL LIMIT ${CHUNK}`,
        [currentWorkspaceId(), connectionId, type.kind],
      );
      if (rows.length === 0) return;
      await this.database.query(
        `UPDATE scim_resources r SET folded = f.content FROM unnest($2::text[], $3::jsonb[]) AS f (id, content)
         WHERE r.workspace_id = $1 AND r.id = f.id`,
        [
          currentWorkspaceId(),
          rows.map(({ id }) => id),
          rows.map(({ content }) => JSON.stringify(folded(type, content))),
        ],
      );
    }
  }

  private async isTaken(type: ResourceType, connectionId: number, id: string, { name_key }: Keys): Promise<boolean> {
    if (type.kind === 'group') return false;
    const rows = await this.database.query(
      `SELECT FROM scim_resources WHERE workspace_id = $1 AND connection_id = $2 AND kind = 'user' AND name_key = $3 AND id <> $4 AND NOT is_deleted`,
      [currentWorkspaceId(), connectionId, name_key, id],
    );
    return rows.length > 0;
  }

  private async requireRoom(connectionId: number): Promise<void> {
    const full = await this.database.query(
      `SELECT FROM scim_resources WHERE workspace_id = $1 AND connection_id = $2 OFFSET ${MAX_RESOURCES - 1} LIMIT 1`,
      [currentWorkspaceId(), connectionId],
    );
    if (full.length > 0) refuse('tooMany', `A connection has at most ${MAX_RESOURCES} users and groups.`);
  }

  private refuseTaken({ naming }: ResourceType, { name }: Keys): never {
    refuse('uniqueness', `There is a user with the ${naming} ${JSON.stringify(name)} already.`);
  }
}

/** What a list has, and in which order. */
export interface Condition {
  /** SQL on `r`, its values from `$4` on; begins with AND, or is nothing. */
  condition: string;
  /** SQL, and a comma; or nothing. */
  order: string;
  bound: readonly unknown[];
  /** How many of these the condition has; those of the order follow. */
  ofCondition: number;
}

const THOSE = 'WHERE r.workspace_id = $1 AND r.connection_id = $2 AND r.kind = $3 AND NOT r.is_deleted';

const kept = (type: ResourceType, content: Content): string[] => [
  JSON.stringify(content),
  JSON.stringify(folded(type, content)),
];

const values = ({ name, name_key, external_id, email_key }: Keys): unknown[] => [
  name,
  name_key,
  external_id,
  email_key,
];
