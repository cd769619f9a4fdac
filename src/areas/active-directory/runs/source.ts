import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import { settingsOf } from '../../integrations/integration-config';
import { ConnectionsService } from '../connections/connections.service';
import type { DirectoryConnection } from '../connections/connection.entity';
import { GraphConfig } from '../graph/graph-config';
import { GraphReader, type KnownTenant } from '../graph/graph-reader';
import { LdapConfig } from '../ldap/ldap-config';
import { LdapReader } from '../ldap/ldap-reader';
import { merged, type Part } from '../push/part';
import { ScimSource } from '../scim/scim-source';
import { knownOf } from './touched';
import type { Reading } from './reading';
import type { DirectoryRun } from './run.entity';

/** Where the objects of a run come from: the directory itself, or what was sent of it. */
@Injectable()
export class DirectorySource {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly ldap: LdapReader,
    private readonly graph: GraphReader,
    private readonly scim: ScimSource,
    private readonly database: Database,
  ) {}

  /** @throws DirectoryUnreadable */
  async read(connection: Row<DirectoryConnection>, run: Row<DirectoryRun>): Promise<Reading> {
    if (connection.type === 'ldap') return this.ldap.read(this.ldapOf(connection), run.mode, connection.cursor);
    if (connection.type === 'entra_id') {
      const known = (guids: readonly string[]): Promise<KnownTenant> =>
        this.database.transaction(() => knownOf(this.database, connection, guids));
      return this.graph.read(this.graphOf(connection), run.mode, connection.cursor, known);
    }
    if (connection.type === 'scim') return this.scim.read(connection, run);
    const parts = await this.database.transaction(() =>
      this.database.query<{ content: Part }>(
        `SELECT content FROM directory_parts WHERE workspace_id = $1 AND run_id = $2 ORDER BY part`,
        [currentWorkspaceId(), run.id],
      ),
    );
    // Nothing was sent: what is known is compared again, and nobody is missing.
    const isAll = parts.length === 0;
    const mode = isAll ? 'delta' : run.mode;
    return { snapshot: { ...merged(parts.map(({ content }) => content)), mode, unreadable: [] }, isAll, cursor: null };
  }

  /** Whether it can be read: somebody who was found, or null. @throws DirectoryUnreadable */
  async test(connection: Row<DirectoryConnection>): Promise<string | null> {
    if (connection.type === 'entra_id') return this.graph.test(this.graphOf(connection));
    return connection.type === 'ldap' ? this.ldap.test(this.ldapOf(connection)) : null;
  }

  private graphOf(connection: Row<DirectoryConnection>): GraphConfig {
    return settingsOf(GraphConfig, this.connections.configOf(connection));
  }

  private ldapOf(connection: Row<DirectoryConnection>): LdapConfig {
    return settingsOf(LdapConfig, this.connections.configOf(connection));
  }
}
