import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { DirectoryConnection } from '../connections/connection.entity';
import { kindOf } from '../connections/connections.service';
import type { TestedConnection } from '../connections/connection.dto';
import { DirectoryUnreadable } from './reading';
import { DirectorySource } from './source';

/** Tries connections; nothing is read but somebody, and nothing is changed. */
@Injectable()
export class ConnectionTests {
  constructor(
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly source: DirectorySource,
    private readonly database: Database,
  ) {}

  async run(id: number, expected: ExpectedVersions): Promise<TestedConnection> {
    const connection = await this.database.transaction(() => this.connections.find(id));
    if (!connection) this.connections.missing(id);
    requireVersion(expected, connection.version);
    const begun = performance.now();
    const since = (): number => Math.round(performance.now() - begun);
    try {
      const sample_user = await this.source.test(connection);
      const isEmpty = sample_user === null && kindOf(connection.type).reads;
      const warnings = isEmpty ? [{ code: 'nobody', message: 'The filter for people finds nobody.' }] : [];
      if (connection.type === 'scim' && connection.token_id === null)
        warnings.push({ code: 'no_token', message: 'No client can reach it yet: it has no token.' });
      return { ok: true, latency_ms: since(), sample_user, warnings };
    } catch (error) {
      if (!(error instanceof DirectoryUnreadable)) throw error;
      const { code, message } = error;
      return { ok: false, latency_ms: since(), sample_user: null, warnings: [{ code, message }] };
    }
  }
}
