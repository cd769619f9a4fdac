import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IMPERSONATE } from '../context/principal';
import { Database } from '../database/database';
import { momentSql } from '../database/moment-sql';
import { announce } from '../events/announce';
import { ProvisioningError } from './provisioning-error';
import { hashToken, makeToken, TOKEN_PREFIX, type TokenType } from './token-format';
import { Token } from './token.entity';
import { Workspace } from './workspace.entity';

/** `scim`: nothing but the routes of that protocol; the token of a connection. */
export type Scope = 'read' | 'write' | typeof IMPERSONATE | '*' | 'scim';

export interface NewToken {
  workspaceId: number;
  scopes: readonly Scope[];
  /** By default the type that fits the workspace's kind. */
  type?: TokenType;
  name?: string;
  /** The user of the workspace that acts through this token. */
  userId?: number;
  /** Null or absent: never. */
  expiresInSeconds?: number | null;
}

/** A token just made: the only moment its text exists. */
export interface IssuedToken {
  id: number;
  token: string;
  type: TokenType;
  scopes: readonly Scope[];
  expires_at: string | null;
}

const MAX_OVERLAP_SECONDS = 24 * 3600;

/** Issues, rotates and revokes bearer tokens. Revocation is effective on every node within a second. */
@Injectable()
export class Tokens {
  constructor(private readonly database: Database) {}

  /** @throws ProvisioningError when the type does not fit the workspace's kind */
  async create(input: NewToken): Promise<IssuedToken> {
    return this.system(async (manager) => {
      const workspace = await manager.findOneByOrFail(Workspace, { id: input.workspaceId });
      const type = input.type ?? workspace.kind;
      if (type !== workspace.kind) {
        throw new ProvisioningError(
          `Workspace "${workspace.slug}" belongs to a ${workspace.kind}: its tokens are ${workspace.kind} tokens.`,
        );
      }
      return this.issue(manager, { ...input, type });
    });
  }

  /**
   * A token in place of another, with the same rights.
   *
   * @param overlapSeconds how long the old one stays valid, 0 (at once) to 24 hours
   * @throws ProvisioningError when there is no valid token of that id
   */
  async rotate(id: number, overlapSeconds: number): Promise<IssuedToken> {
    if (!(overlapSeconds >= 0 && overlapSeconds <= MAX_OVERLAP_SECONDS)) {
      throw new ProvisioningError('The overlap is 0 seconds to 24 hours.');
    }
    return this.system(async (manager) => {
      const old = await manager.findOne(Token, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!old || old.revoked_at || (old.expires_at && old.expires_at <= new Date()))
        throw new ProvisioningError(`There is no valid token ${id}.`);
      if (old.rotated_to !== null)
        throw new ProvisioningError(`Token ${id} was rotated to token ${old.rotated_to} already.`);
      const { workspace_id: workspaceId, type, name, scopes, user_id, expires_at } = old;
      const expiresInSeconds = expires_at ? (expires_at.getTime() - old.created_at.getTime()) / 1000 : null;
      const issued = await this.issue(manager, {
        workspaceId,
        type,
        name,
        scopes: scopes as Scope[],
        expiresInSeconds,
        ...(user_id === null ? {} : { userId: user_id }),
      });
      await manager.query(
        `UPDATE tokens SET rotated_to = $2, expires_at = least(expires_at, now() + make_interval(secs => $3)),
           revoked_at = CASE WHEN $3 = 0 THEN now() END WHERE id = $1`,
        [id, issued.id, overlapSeconds],
      );
      if (overlapSeconds === 0) await this.announce('token.revoked', id, workspaceId, old);
      return issued;
    });
  }

  /** Revoking twice is no error. @throws ProvisioningError when there is no such token */
  async revoke(id: number): Promise<void> {
    await this.system(async (manager) => {
      const token = await manager.findOne(Token, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!token) throw new ProvisioningError(`There is no token ${id}.`);
      if (token.revoked_at) return;
      await manager.query('UPDATE tokens SET revoked_at = now() WHERE id = $1', [id]);
      await this.announce('token.revoked', id, token.workspace_id, token);
    });
  }

  private async issue(manager: EntityManager, input: NewToken & { type: TokenType }): Promise<IssuedToken> {
    const issued = await issue(manager, input);
    const { id, type, scopes } = issued;
    await this.announce('token.created', id, input.workspaceId, { name: nameOf(input), type, scopes });
    return issued;
  }

  /** Tells the workspace; never the token itself. */
  private announce(type: string, id: number, workspaceId: number, token: TokenFacts): Promise<void> {
    const record = { id, name: token.name, type: token.type, scopes: token.scopes };
    return announce(this.database, workspaceId, type, id, record);
  }

  private system<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.system(async () => work(await this.database.manager()));
  }
}

/** What of a token its events tell. */
interface TokenFacts {
  name: string;
  type: string;
  scopes: readonly string[];
}

const nameOf = ({ name, scopes }: NewToken): string => name ?? [...new Set(scopes)].join(',');

/** Times are the database's: expiry is judged by its clock. */
async function issue(manager: EntityManager, input: NewToken & { type: TokenType }): Promise<IssuedToken> {
  const token = makeToken(input.type);
  const scopes = [...new Set(input.scopes)];
  const rows = await manager.query<{ id: number; expires_at: string | null }[]>(
    `INSERT INTO tokens (workspace_id, type, name, hash, prefix, last4, scopes, user_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)) RETURNING id, ${momentSql('expires_at')} AS expires_at`,
    [
      input.workspaceId,
      input.type,
      nameOf(input),
      hashToken(token),
      TOKEN_PREFIX[input.type],
      token.slice(-4),
      scopes,
      input.userId ?? null,
      input.expiresInSeconds ?? null,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('INSERT … RETURNING answered no row.');
  return { id: row.id, token, type: input.type, scopes, expires_at: row.expires_at };
}
