import { Injectable } from '@nestjs/common';
import { settingsOf } from '../../integrations/integration-config';
import type { DirectoryConnection } from '../connections/connection.entity';
import { ConnectionsService } from '../connections/connections.service';
import { GraphConfig } from '../graph/graph-config';
import { GraphReader } from '../graph/graph-reader';
import { LdapConfig } from '../ldap/ldap-config';
import { LdapReader } from '../ldap/ldap-reader';
import { ScimPhotos } from '../scim/scim-photos';
import type { PhotoReader } from './photo-reader';
import { SentPhotos } from './sent-photos';

/** How the photos of a directory are read. */
@Injectable()
export class PhotoSources {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly ldap: LdapReader,
    private readonly graph: GraphReader,
    private readonly scim: ScimPhotos,
    private readonly sent: SentPhotos,
  ) {}

  /** Whether photos of a connection are taken. */
  areTaken(connection: DirectoryConnection): boolean {
    return this.connections.configOf(connection).photos !== false;
  }

  /** Null where none are taken. @throws DirectoryUnreadable */
  async open(connection: DirectoryConnection): Promise<PhotoReader | null> {
    if (!this.areTaken(connection)) return null;
    const config = this.connections.configOf(connection);
    switch (connection.type) {
      case 'ldap':
        return this.ldap.photos(settingsOf(LdapConfig, config));
      case 'entra_id':
        return this.graph.photos(settingsOf(GraphConfig, config));
      case 'scim':
        return this.scim.reader(connection.id);
      case 'json':
        return this.sent.reader(connection.id);
    }
  }
}
