import { Injectable } from '@nestjs/common';
import { ProvisioningError } from '../../../platform/auth/provisioning-error';
import { type IssuedToken, Tokens } from '../../../platform/auth/tokens.service';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail, invalid } from '../../../platform/errors/api-error';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { DirectoryConnection } from '../connections/connection.entity';
import type { IssueToken, ScimAccess } from './scim-token.dto';
import { ScimService } from './scim.service';

/** Tokens of connections that a client speaks SCIM to: one each, good for nothing else. */
@Injectable()
export class ScimTokens {
  constructor(
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly tokens: Tokens,
    private readonly scim: ScimService,
    private readonly database: Database,
  ) {}

  /** A first token, or one in place of the one before. */
  async issue(id: number, { overlap_seconds = 0 }: IssueToken, expected: ExpectedVersions): Promise<ScimAccess> {
    const connection = await this.database.transaction(() => this.connections.find(id));
    if (!connection) this.connections.missing(id);
    requireVersion(expected, connection.version);
    if (connection.type !== 'scim')
      invalid('id', 'not_allowed', 'Only connections of the type scim have a token; others are read, or sent here.');
    const former_token_id = connection.token_id;
    const issued = await this.made(connection, overlap_seconds);
    await this.connections.mutate(id, null, (before) => {
      if (before.token_id !== former_token_id) fail('conflict', 'The connection was given another token just now.');
      const values = { token_id: issued.id, former_token_id };
      return { values, always: true, events: ['directory_connection.updated'] };
    });
    return { base_url: this.scim.base(), token: issued.token };
  }

  private async made({ name, token_id }: Row<DirectoryConnection>, overlap: number): Promise<IssuedToken> {
    const first = (): Promise<IssuedToken> =>
      this.tokens.create({ workspaceId: currentWorkspaceId(), scopes: ['scim'], name: `SCIM: ${name}` });
    if (token_id === null) return first();
    try {
      return await this.tokens.rotate(token_id, overlap);
    } catch (error) {
      // Somebody has revoked it by the command.
      if (error instanceof ProvisioningError) return first();
      throw error;
    }
  }
}
