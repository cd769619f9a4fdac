import { Column, Entity } from 'typeorm';
import { timestampText } from '../../platform/columns/column-spec';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Config } from './integration-config';
import { PROVIDER_KEYS } from './provider-table';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const INTEGRATION_STATUSES = ['active', 'disabled', 'error', 'pending_auth'] as const;

/** A value of the row that changes with every message. */
const state = (expression: string) => (integration: string) =>
  `(SELECT ${expression} FROM integration_states kept WHERE kept.workspace_id = ${integration}.workspace_id AND kept.integration_id = ${integration}.id)`;

const moment = { type: 'string', format: 'date-time' } as const;

/** A provider in use by a workspace: product reference 1.12. */
@Entity('integrations')
export class Integration extends ResourceEntity {
  @EnumColumn(PROVIDER_KEYS, {
    required: true,
    example: 'webhook',
    description: 'Key of a provider of the catalogue; never changes.',
  })
  provider: OneOf<typeof PROVIDER_KEYS>;

  @StringColumn({ max: 120, min: 1, description: "Default: the provider's name.", example: 'Support channel' })
  name: string;

  @EnumColumn(INTEGRATION_STATUSES, {
    default: 'active',
    description:
      'Write `active` or `disabled`. `error`: it failed until the last retry and rests; `active` lets it try again.',
  })
  status: OneOf<typeof INTEGRATION_STATUSES>;

  @JsonColumn({
    default: {},
    description:
      'Settings by the `config_schema` of the provider. A change names only what changes; null takes a setting away. Secrets read `********`, which sent back leaves them as they are; `<name>_set` tells whether there is one.',
    api: {
      type: 'object',
      additionalProperties: true,
      example: { url: 'https://hooks.acme.example/helpdesk', secret: 'a-secret-of-24-characters-or-more' },
    },
    shown: {
      type: 'object',
      additionalProperties: true,
      example: { url: 'https://hooks.acme.example/helpdesk', secret: '********', secret_set: true },
    },
  })
  config: Config;

  @StringsColumn({
    maxItems: 100,
    maxLength: 100,
    description: 'Events it is sent, as in `webhooks`: names, `ticket.*`, `*`. Default: what suits the provider.',
    example: ['ticket.created', 'ticket.escalated'],
  })
  events: string[];

  @ReferenceColumn('users', { nullable: true, readOnly: true, description: 'The user whose token installed it.' })
  connected_by: number | null;

  @ComputedColumn(
    { ...moment, description: 'When it last sent or looked.' },
    state(timestampText('kept.last_sync_at')),
    true,
  )
  last_sync_at: Computed<string | null>;

  @ComputedColumn(moment, state(timestampText('kept.last_success_at')), true)
  last_success_at: Computed<string | null>;

  @ComputedColumn(
    {
      type: 'object',
      required: ['code', 'message', 'at'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, at: moment },
    },
    state('kept.last_error'),
    true,
  )
  last_error: Computed<{ code: string; message: string; at: string } | null>;

  @ComputedColumn(
    { type: 'integer', description: 'Failures in a row.' },
    (integration) => `coalesce(${state('kept.error_count')(integration)}, 0)`,
  )
  error_count: Computed<number>;

  /** All secrets of the settings in one sealed JSON text. */
  @Column({ type: 'text', nullable: true })
  sealed: string | null;
}
