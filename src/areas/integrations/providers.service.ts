import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { configSchemaOf } from '../../platform/openapi/config-schema';
import type { ProviderEntry } from './provider-entry';
import { PROVIDERS } from './provider-table';

/** The catalogue of providers. */
@Injectable()
export class ProvidersService {
  constructor(private readonly database: Database) {}

  /** Every provider, and whether the workspace has installed it. */
  async catalogue(): Promise<ProviderEntry[]> {
    const rows = await this.database.read<{ provider: string }>({
      text: 'SELECT DISTINCT provider FROM integrations WHERE workspace_id = $1',
      values: [currentWorkspaceId()],
    });
    const installed = new Set(rows.map(({ provider }) => provider));
    return PROVIDERS.map(({ config, ...shown }) => ({
      ...shown,
      config_schema: configSchemaOf(config),
      installed: installed.has(shown.key),
    }));
  }
}
