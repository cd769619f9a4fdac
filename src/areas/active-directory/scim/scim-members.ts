import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { isRecord } from '../../../platform/text/json';
import { listOf } from './protocol/content';
import { refuse } from './protocol/fault';
import { fulfils } from './protocol/matching';
import type { Operation } from './protocol/patch';
import { attributeOf, GROUPS } from './protocol/schema';

/** Members of one group. */
const MAX_MEMBERS = 100_000;
const MEMBERS = attributeOf(GROUPS.schema.attributes, 'members');

/** A member, or a group that somebody is a member of. */
export interface Tie {
  /** Whose it is. */
  of: string;
  value: string;
  display: string | null;
  kind: 'user' | 'group' | null;
}

/** Members of groups, as clients of SCIM have told them; each statement is inside a unit of work. */
@Injectable()
export class ScimMembers {
  constructor(private readonly database: Database) {}

  /** Ids that a value names: `[{ "value": "…" }]`. */
  idsOf(value: unknown): string[] {
    const listed = MEMBERS ? listOf(MEMBERS, value) : undefined;
    return (listed ?? []).flatMap((each) => (isRecord(each) && typeof each.value === 'string' ? each.value : []));
  }

  /** Whether anything changed. */
  async set(groupId: string, ids: readonly string[]): Promise<boolean> {
    const gone = await this.database.query(
      'DELETE FROM scim_members WHERE workspace_id = $1 AND group_id = $2 AND member_id <> ALL($3::text[]) RETURNING member_id',
      [currentWorkspaceId(), groupId, ids],
    );
    return (await this.add(groupId, ids)) || gone.length > 0;
  }

  /** One operation of a PATCH on the members; whether anything changed. */
  async patch(groupId: string, { op, target: { filter, sub }, value }: Operation): Promise<boolean> {
    if (sub) refuse('mutability', 'A member is added or removed as a whole.');
    if (op === 'add') return this.add(groupId, this.idsOf(value));
    if (!filter) {
      if (op === 'replace') return this.set(groupId, this.idsOf(value));
      return value === undefined || value === null ? this.set(groupId, []) : this.take(groupId, this.idsOf(value));
    }
    const meant = await this.meant(groupId, filter);
    if (op === 'remove') return this.take(groupId, meant);
    if (meant.length === 0) refuse('noTarget', 'No member is meant.');
    const isLess = await this.take(groupId, meant);
    return (await this.add(groupId, this.idsOf(value))) || isLess;
  }

  /** Members of groups. */
  membersOf(groupIds: readonly string[]): Promise<Tie[]> {
    return this.database.query<Tie>(
      `SELECT m.group_id AS of, m.member_id AS value, r.name AS display, r.kind
       FROM scim_members m LEFT JOIN scim_resources r ON r.workspace_id = m.workspace_id AND r.id = m.member_id AND NOT r.is_deleted
       WHERE m.workspace_id = $1 AND m.group_id = ANY($2::text[]) ORDER BY m.group_id, m.member_id`,
      [currentWorkspaceId(), groupIds],
    );
  }

  /** How many members groups have, or how many groups people are members of. */
  async counts(isOfGroups: boolean, ids: readonly string[]): Promise<Map<string, number>> {
    const column = isOfGroups ? 'group_id' : 'member_id';
    const rows = await this.database.query<{ id: string; n: number }>(
      `SELECT ${column} AS id, count(*)::integer AS n FROM scim_members WHERE workspace_id = $1 AND ${column} = ANY($2::text[]) GROUP BY 1`,
      [currentWorkspaceId(), ids],
    );
    return new Map(rows.map(({ id, n }) => [id, n]));
  }

  /** Groups that people are members of themselves. */
  groupsOf(ids: readonly string[]): Promise<Tie[]> {
    return this.database.query<Tie>(
      `SELECT m.member_id AS of, r.id AS value, r.name AS display, r.kind
       FROM scim_members m JOIN scim_resources r ON r.workspace_id = m.workspace_id AND r.id = m.group_id
       WHERE m.workspace_id = $1 AND m.member_id = ANY($2::text[]) ORDER BY m.member_id, r.created_at, r.id`,
      [currentWorkspaceId(), ids],
    );
  }

  private async meant(groupId: string, filter: NonNullable<Operation['target']['filter']>): Promise<string[]> {
    if (filter.op === 'eq' && filter.path.toLowerCase() === 'value') return [String(filter.value)];
    const members = await this.membersOf([groupId]);
    const isMeant = ({ value, display, kind }: Tie): boolean =>
      MEMBERS !== null && fulfils(MEMBERS, filter, { value, display, type: kind === 'group' ? 'Group' : 'User' });
    return members.filter(isMeant).map(({ value }) => value);
  }

  private async add(groupId: string, ids: readonly string[]): Promise<boolean> {
    if (ids.length === 0) return false;
    const added = await this.database.query(
      `INSERT INTO scim_members (workspace_id, group_id, member_id) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING RETURNING member_id`,
      [currentWorkspaceId(), groupId, ids],
    );
    const over = await this.database.query(
      `SELECT FROM scim_members WHERE workspace_id = $1 AND group_id = $2 OFFSET ${MAX_MEMBERS} LIMIT 1`,
      [currentWorkspaceId(), groupId],
    );
    if (over.length > 0) refuse('tooMany', `A group has at most ${MAX_MEMBERS} members.`);
    return added.length > 0;
  }

  private async take(groupId: string, ids: readonly string[]): Promise<boolean> {
    const gone = await this.database.query(
      'DELETE FROM scim_members WHERE workspace_id = $1 AND group_id = $2 AND member_id = ANY($3::text[]) RETURNING member_id',
      [currentWorkspaceId(), groupId, ids],
    );
    return gone.length > 0;
  }
}
