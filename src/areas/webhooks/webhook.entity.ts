import { getSchemaPath } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { IsObject } from 'class-validator';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { timestampText } from '../../platform/columns/column-spec';
import { shownConditionsSchema } from '../../platform/conditions/conditions-schema';
import { declareSchemas } from '../../platform/http/declared-schemas';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { WebhookFilter } from './webhook-filter';
import { type HeaderMap, headersSchema, IsHeaderMap } from './webhook-headers';
import { WEBHOOK_STATUSES } from './webhook-values';
import type { Computed, OneOf } from '../../platform/resource/rows';

const readOnly = true;

declareSchemas({
  WebhookFilter: {
    type: 'object',
    required: ['conditions'],
    properties: { conditions: { $ref: getSchemaPath('Conditions') } },
    additionalProperties: false,
  },
});

/** Deliveries change it without a new version of the record, so it is read like a computed value. */
const Counter = (): PropertyDecorator => ComputedColumn({ type: 'integer' }, (webhook) => `${webhook}.failure_count`);
const Moment = (column: string): PropertyDecorator =>
  ComputedColumn({ type: 'string', format: 'date-time' }, (webhook) => timestampText(`${webhook}.${column}`), true);

/** An endpoint that events are delivered to: product reference 5.5. */
@Entity('webhooks')
export class Webhook extends ResourceEntity {
  @StringColumn({ required: true, max: 2_048, example: 'https://example.com/hooks/helpdesk' })
  url: string;

  @StringColumn({ max: 500, nullable: true, example: 'Updates of our data warehouse' })
  description: string | null;

  @StringsColumn({
    required: true,
    maxItems: 100,
    maxLength: 100,
    example: ['ticket.created', 'ticket.sla_breach'],
    description: 'Types of events, `ticket.*` or `*`; GET /integrations/events lists them.',
  })
  events: string[];

  @EnumColumn(WEBHOOK_STATUSES, {
    readOnly,
    default: 'active',
    description: '`paused` by you, `deactivated` because deliveries failed.',
  })
  status: OneOf<typeof WEBHOOK_STATUSES>;

  @BooleanColumn({
    default: true,
    description: 'false pauses: nothing is delivered. true starts (again), and forgets earlier failures.',
  })
  is_active: boolean;

  @JsonColumn({
    nullable: true,
    rules: [IsObject()],
    description:
      'Only events of which the conditions hold are delivered. Fields are `ticket.priority`, `actor.type`, ….',
    example: { conditions: { all: [{ field: 'ticket.priority', operator: 'eq', value: 'urgent' }] } },
    api: { allOf: [{ $ref: getSchemaPath('WebhookFilter') }] },
    shown: {
      type: ['object', 'null'],
      required: ['conditions'],
      properties: { conditions: shownConditionsSchema },
    },
  })
  filter: WebhookFilter | null;

  @JsonColumn({
    default: {},
    rules: [IsHeaderMap()],
    description:
      'Sent with each delivery. Answers hide the values (`***`); a hidden value sent back keeps the stored one. Another server in `url` needs the values again.',
    api: headersSchema,
  })
  headers: HeaderMap;

  @StringColumn({ max: 20, readOnly, description: 'The end of the signing secret.', example: '...a1b2' })
  secret_hint: string;

  @Counter()
  failure_count: Computed<number>;

  @Moment('last_delivery_at')
  last_delivery_at: Computed<string | null>;

  @Moment('last_success_at')
  last_success_at: Computed<string | null>;

  @Moment('last_failure_at')
  last_failure_at: Computed<string | null>;

  @TimestampColumn({ nullable: true, readOnly })
  deactivated_at: string | null;

  @StringColumn({ max: 500, nullable: true, readOnly })
  deactivated_reason: string | null;

  @Column({ type: 'text', nullable: true })
  headers_sealed: string | null;

  @Column({ type: 'text' })
  secret_sealed: string;

  @Column({ type: 'text', nullable: true })
  previous_secret_sealed: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previous_secret_until: string | null;
}
