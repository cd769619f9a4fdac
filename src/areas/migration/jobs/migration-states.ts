import { invalid } from '../../../platform/errors/api-error';

/** Services whose API is read: `services/services.ts` says how. */
export const SERVICE_NAMES = ['zendesk', 'freshdesk', 'zammad', 'jira', 'hubspot', 'intercom'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export const SOURCES = ['csv', 'xlsx', 'ndjson', 'json', 'archive', 'api', ...SERVICE_NAMES] as const;
export type MigrationSource = (typeof SOURCES)[number];

export const MIGRATION_STATUSES = [
  'draft',
  'validating',
  'ready',
  'invalid',
  'running',
  'paused',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
  'rolling_back',
  'rolled_back',
] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** Those in which nothing more is to come in, however far the job went. */
export const ENDED = [
  'failed',
  'cancelled',
  'rolling_back',
  'rolled_back',
] as const satisfies readonly MigrationStatus[];

export const MODES = ['dry_run', 'import'] as const;

export const RECORD_STATUSES = ['pending', 'created', 'updated', 'skipped', 'failed', 'rolled_back'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** What can be asked of a job, and in which states. */
export const ALLOWED = {
  change: ['draft', 'ready', 'invalid', 'paused'],
  send: ['draft', 'ready', 'invalid'],
  push: ['draft', 'ready', 'invalid', 'running', 'paused', 'completed', 'completed_with_errors'],
  validate: ['draft', 'ready', 'invalid'],
  start: ['ready'],
  pause: ['running', 'paused'],
  resume: ['paused', 'failed'],
  cancel: ['draft', 'validating', 'ready', 'invalid', 'running', 'paused', 'failed'],
  retry: ['completed_with_errors', 'paused', 'failed'],
  rollback: ['paused', 'completed', 'completed_with_errors', 'failed', 'cancelled'],
  remove: ['draft', 'ready', 'invalid', 'completed', 'completed_with_errors', 'failed', 'cancelled', 'rolled_back'],
} as const satisfies Readonly<Record<string, readonly MigrationStatus[]>>;

/** 422 unless the job is in a state for that. */
export function requireState(action: keyof typeof ALLOWED, status: MigrationStatus): void {
  const allowed: readonly MigrationStatus[] = ALLOWED[action];
  if (!allowed.includes(status))
    invalid('status', 'invalid_transition', `The job is ${status}; this is for jobs that are ${allowed.join(', ')}.`, {
      from: status,
      allowed: [...allowed],
    });
}

/** Whether a record has come in, with this job. */
export function isHere(status: RecordStatus | undefined): boolean {
  return status === 'created' || status === 'updated' || status === 'skipped';
}
