import type { MigrationSource, ServiceName } from '../jobs/migration-states';
import { SERVICE_NAMES } from '../jobs/migration-states';
import { isOneOf } from '../../../platform/text/json';
import type { ServiceSource } from './service-source';
import { freshdesk } from './sources/freshdesk';
import { hubspot } from './sources/hubspot';
import { intercom } from './sources/intercom';
import { jira } from './sources/jira';
import { zammad } from './sources/zammad';
import { zendesk } from './sources/zendesk';

/** The services that can be read. */
export const SERVICES: Readonly<Record<ServiceName, ServiceSource>> = {
  zendesk,
  freshdesk,
  zammad,
  jira,
  hubspot,
  intercom,
};

/** The service that a source is; null for files and pushed records. */
export function serviceOf(source: MigrationSource): ServiceSource | null {
  return isOneOf(SERVICE_NAMES, source) ? SERVICES[source] : null;
}
