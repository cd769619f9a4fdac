import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { type Failure, failureSchema } from '../../platform/columns/failure';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export const LOG_STATUSES = ['success', 'failed', 'retrying', 'skipped'] as const;

/** Longest request and response kept, in characters. */
export const MAX_REQUEST = 16_384;
export const MAX_RESPONSE = 4_096;

const readOnly = true;
const nullable = true;

/** One message that an integration sent or received, or one try at it. Kept for 30 days. */
@Entity('integration_logs')
export class IntegrationLog {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (log) => `${log}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('integrations', { readOnly })
  integration_id: number;

  @EnumColumn(DIRECTIONS, { readOnly })
  direction: OneOf<typeof DIRECTIONS>;

  @StringColumn({ max: 100, readOnly, description: 'An event, `integration.test`, `mail.received` or `mail.sent`.' })
  event: string;

  @EnumColumn(LOG_STATUSES, { readOnly, description: '`retrying`: it failed and will be tried again.' })
  status: OneOf<typeof LOG_STATUSES>;

  @StringColumn({ max: 10, nullable, readOnly, example: 'POST' })
  http_method: string | null;

  @StringColumn({ max: 2_048, nullable, readOnly, description: 'Without what is secret in it.' })
  url: string | null;

  @JsonColumn({ readOnly, description: 'Signatures read `********`.' })
  request_headers: Record<string, string>;

  @TextColumn({ max: MAX_REQUEST, nullable, readOnly, description: 'At most 16 KB.' })
  request_body: string | null;

  @IntegerColumn({ nullable, readOnly, description: 'HTTP status, or the reply code of the mail server.' })
  response_status: number | null;

  @TextColumn({ max: MAX_RESPONSE, nullable, readOnly, description: 'At most 4 KB.' })
  response_body: string | null;

  @IntegerColumn({ readOnly })
  duration_ms: number;

  @IntegerColumn({ readOnly, description: '1 for the first try.' })
  attempt: number;

  @JsonColumn({
    nullable,
    readOnly,
    api: failureSchema,
  })
  error: Failure | null;

  @StringColumn({ max: 250, nullable, readOnly, description: 'The same for every try of one message.' })
  delivery_id: string | null;

  @StringColumn({ max: 200, nullable, readOnly, description: 'The request that brought the event about.' })
  request_id: string | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
