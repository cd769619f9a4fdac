import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { ApiError, invalid } from '../../../platform/errors/api-error';
import { type AddressRange, parseRanges } from '../../../platform/outbound/addresses';
import type { Row } from '../../../platform/resource/rows';
import { SecretBox } from '../../../platform/secrets/secret-box';
import { ownJson } from '../../../platform/text/json';
import { type Config, mergedConfig, redacted, secretPart, wholeConfig } from '../../integrations/integration-config';
import type { MigrationJob } from '../jobs/migration-job.entity';
import type { OpenService } from './service-client';
import { baseOf } from './service-credentials';
import type { ServiceSource } from './service-source';
import { serviceOf } from './services';

/** What a job keeps of its connection: what may be seen, what is sealed, and where it leads. */
export type Kept = Pick<MigrationJob, 'connection' | 'sealed' | 'origin'>;

type Known = Pick<Row<MigrationJob>, 'source' | 'connection' | 'sealed'>;

/** Connections of jobs to services: settings checked by the class of their source, secrets sealed. */
@Injectable()
export class ServiceConnections {
  private readonly allowed: readonly AddressRange[];

  constructor(
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'migrationAllowCidrs'>,
  ) {
    this.allowed = parseRanges(config.migrationAllowCidrs);
  }

  /**
   * The connection after a change.
   *
   * @param asked null for none
   * @returns null where nothing is asked and the source needs none
   * @throws ApiError 422 for settings that make no sense, and for sources that are no services
   */
  changed(before: Known, asked: Config | null | undefined): Kept | null {
    const source = serviceOf(before.source);
    if (!source) {
      if (asked && Object.keys(asked).length > 0)
        invalid(
          'connection',
          'invalid',
          `A migration from "${before.source}" has no connection: its records are sent.`,
        );
      return null;
    }
    const settings = this.checked(source, this.wholeOf(source, before), asked ?? {});
    const secrets = secretPart(source, settings);
    return {
      connection: redacted(source, settings),
      sealed: Object.keys(secrets).length > 0 ? this.secrets.seal(JSON.stringify(secrets)) : null,
      origin: new URL(baseOf(settings)).origin,
    };
  }

  /** The service that a job reads, with what lets it in; null for files and pushed records. */
  open(job: Known): OpenService | null {
    const source = serviceOf(job.source);
    return source && { source, settings: this.wholeOf(source, job) };
  }

  /** Settings after a change, named as members of `connection`. */
  private checked(source: ServiceSource, before: Config, asked: Config): Config {
    try {
      const settings = mergedConfig(source, before, asked, this.allowed);
      const problem = source.problem?.(settings);
      if (problem) invalid(problem.field, 'required', problem.message);
      return settings;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { details = [], missing } = error.extras;
      const named = details.map((detail) => ({ ...detail, field: here(detail.field), message: here(detail.message) }));
      throw new ApiError(error.type, here(error.message), {
        details: named,
        ...(missing ? { missing: missing.map(here) } : {}),
      });
    }
  }

  private wholeOf(source: ServiceSource, { connection, sealed }: Known): Config {
    return wholeConfig(source, connection, sealed === null ? {} : ownJson<Config>(this.secrets.open(sealed)));
  }
}

/** The words of settings are those of installations. */
function here(text: string): string {
  return text.replace(/(^|")config\./, '$1connection.');
}
