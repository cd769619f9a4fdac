import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Provider } from '../../platform/area/provider';
import { PROVIDERS } from './provider-table';

/** The catalogue of providers. */
@Injectable()
export class ProvidersService {
  constructor(private readonly database: Database) {}

  /** Every provider, and whether the workspace has installed it. */
  async catalogue(): Promise<(Provider & { installed: boolean })[]> {
    const rows = await this.database.read({
      text: 'SELECT DISTINCT provider FROM integrations WHERE workspace_id = $1',
      values: [currentWorkspaceId()],
    });
    const installed = new Set(rows.map(([key]) => key));
    return PROVIDERS.map((provider) => ({ ...provider, installed: installed.has(provider.key) }));
  }
}
