import { Injectable } from '@nestjs/common';
import { settingsOf } from '../../integrations/integration-config';
import type { DirectoryConnection } from '../connections/connection.entity';
import { ConnectionsService } from '../connections/connections.service';
import { GraphConfig } from '../graph/graph-config';
import { GraphReader } from '../graph/graph-reader';
import { LdapConfig } from '../ldap/ldap-config';
import { LdapReader } from '../ldap/ldap-reader';
import type { PhotoReader } from './photo-reader';

/** Which directories have photos, and how they are read. */
@Injectable()
export class PhotoSources {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly ldap: LdapReader,
    private readonly graph: GraphReader,
  ) {}

  /** Whether photos of a connection are taken. */
  areTaken(connection: DirectoryConnection): boolean {
    const { type } = connection;
    return (type === 'ldap' || type === 'entra_id') && this.connections.configOf(connection).photos !== false;
  }

  /** Null where none are taken. @throws DirectoryUnreadable */
  async open(connection: DirectoryConnection): Promise<PhotoReader | null> {
    if (!this.areTaken(connection)) return null;
    const config = this.connections.configOf(connection);
    return connection.type === 'ldap'
      ? this.ldap.photos(settingsOf(LdapConfig, config))
      : this.graph.photos(settingsOf(GraphConfig, config));
  }
}
