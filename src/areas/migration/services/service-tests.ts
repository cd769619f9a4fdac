import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { TestResult } from '../../../platform/outbound/test-result';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MigrationJob } from '../jobs/migration-job.entity';
import { ServiceClient, troubleOf } from './service-client';
import { ServiceConnections } from './service-connections';

/** For the answer to a test. */
const TEST_MS = 15_000;

/** Tries on request whether a service lets us in: once, at once; nothing is read but who asks. */
@Injectable()
export class ServiceTests {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly connections: ServiceConnections,
    private readonly client: ServiceClient,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 404; 412; 422 for jobs without a connection */
  async run(id: number, expected: ExpectedVersions): Promise<TestResult> {
    const job = (await this.database.transaction(() => this.jobs.find(id))) ?? this.jobs.missing(id);
    requireVersion(expected, job.version);
    const service = this.connections.open(job);
    if (!service) return invalid('source', 'invalid', `A migration from "${job.source}" has no connection.`);
    const { source } = service;
    const result = await this.client.send(service, source.probe, TEST_MS);
    const trouble = troubleOf(source.name, result);
    const isIn = trouble === null && (source.isLetIn?.(json(result.body)) ?? true);
    const nobody = { code: 'credentials', message: `${source.name} answers, but knows nobody by these credentials.` };
    return {
      status: isIn ? 'success' : 'failed',
      response_status: result.status,
      duration_ms: result.durationMs,
      error: isIn ? null : trouble ? { code: trouble.kind, message: trouble.message } : nobody,
    };
  }
}

function json(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return value;
  } catch {
    return {};
  }
}
