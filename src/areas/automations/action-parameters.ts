import { checkedBy, IsArgument, type ArgumentWords } from '../../platform/area/argument';
import {
  AddressArgument,
  CustomFieldsArgument,
  EnumArgument,
  FlagArgument,
  HeadersArgument,
  JsonArgument,
  RecipientsArgument,
  RecordArgument,
  RecordsArgument,
  TagsArgument,
  TemplateArgument,
  UrlArgument,
} from '../../platform/area/arguments';
import { isOneOf } from '../../platform/text/json';
import { STRATEGIES, type Strategy } from '../tickets/assigning/assignment-reason';
import { SealedArgument } from './sealed-headers';
import { TICKET_CHANNELS, TICKET_PRIORITIES, TICKET_TYPES } from '../tickets/ticket-values';

const MAX_TEXT = 65_536;

/** Fields of a ticket that `set_field` may set, besides `custom_fields.<key>`. */
export const SETTABLE_FIELDS = [
  'status',
  'custom_status_id',
  'priority',
  'type',
  'category_id',
  'team_id',
  'company_id',
  'subject',
  'on_hold_reason',
  'on_hold_until',
] as const;

const CUSTOM_FIELD = /^custom_fields\..{1,64}$/s;

/** Whether rules may set this field of a ticket. */
export function isSettable(field: unknown): field is string {
  return typeof field === 'string' && (isOneOf<string>(SETTABLE_FIELDS, field) || CUSTOM_FIELD.test(field));
}

/** Name of a ticket field that rules may set. */
const FieldArgument = (words: ArgumentWords): PropertyDecorator =>
  IsArgument({
    spec: { kind: 'ticket_field', ...words },
    ...checkedBy(
      {
        anyOf: [
          { type: 'string', enum: [...SETTABLE_FIELDS] },
          { type: 'string', pattern: CUSTOM_FIELD.source },
        ],
      },
      (value) =>
        isSettable(value)
          ? null
          : {
              code: 'enum',
              problem: 'names no field that automations set',
              allowed: [...SETTABLE_FIELDS, 'custom_fields.<key>'],
            },
    ),
  });

/** A value of the field that `field` names, where both are at hand: `field-value.ts`. */
const ValueArgument = (words: ArgumentWords): PropertyDecorator =>
  IsArgument({
    spec: { kind: 'field_value', ...words },
    ...checkedBy({ type: ['string', 'number', 'boolean', 'null'] }, () => null),
  });

const UserArgument = (description: string): PropertyDecorator => RecordArgument('users', { description });

export class SetFieldParameters {
  @FieldArgument({ required: true, description: 'Which field.' })
  field: string;

  @ValueArgument({
    required: true,
    description: 'Its new value; null empties it. Moments may be relative: +3d, +4h, +30m, +2bd (business days).',
  })
  value: unknown;
}

export class AssignParameters {
  @UserArgument('Who gets the ticket.')
  user_id?: number;

  @EnumArgument(STRATEGIES, {
    description: 'Who of the team gets it: in turns, who has least to do, or who wrote to the requester last.',
  })
  strategy?: Strategy;

  @RecordArgument('teams', {
    description: 'The team; the one of the ticket unless given. The ticket is given to it, too.',
  })
  team_id?: number;
}

export class TagsParameters {
  @TagsArgument({ required: true, description: 'Comma-separated, or an array.' })
  tags: string;
}

export class EscalateParameters {
  @TemplateArgument({ max: 1_000, description: 'Why.' })
  reason?: string;
}

export class AddCommentParameters {
  @TemplateArgument({ required: true, max: MAX_TEXT, description: 'Markdown.' })
  body: string;

  @FlagArgument({ description: 'Only agents see it. Default false.' })
  is_internal?: boolean;
}

export class SendEmailParameters {
  @RecipientsArgument({ required: true, max: 20, description: '`requester`, `assignee`, or addresses.' })
  to: string | string[];

  @TemplateArgument({ required: true, max: 255, description: 'Subject.' })
  subject: string;

  @TemplateArgument({ required: true, max: MAX_TEXT, description: 'Text.' })
  body: string;
}

export class NotifyParameters {
  @RecordsArgument('users', { required: true, max: 50, description: 'Who is told.' })
  user_ids: number[];

  @TemplateArgument({ required: true, max: 4_000, description: 'What they are told.' })
  message: string;
}

export const CALL_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;

export class WebhookParameters {
  @UrlArgument({ description: 'A public https address.' })
  url?: string;

  @RecordArgument('webhooks', { description: 'A webhook, with its secret.' })
  endpoint_id?: number;

  @EnumArgument(CALL_METHODS, { description: 'Default POST.' })
  method?: (typeof CALL_METHODS)[number];

  @HeadersArgument({
    max: 20,
    description: 'Name to value. Values are shown as `***`, which sent back for the same address keeps them.',
  })
  headers?: Record<string, string>;

  @SealedArgument({
    description: 'The hidden values of `headers`, as the service shows them; it comes back with them.',
  })
  headers_sealed?: string;

  @JsonArgument({
    max: MAX_TEXT,
    description: 'An object, or JSON text; its texts may hold variables. Default: event, ticket and automation.',
  })
  body?: object | string;
}

export class CreateTicketParameters {
  @TemplateArgument({ required: true, max: 255, description: 'Subject.' })
  subject: string;

  @TemplateArgument({ max: MAX_TEXT, description: 'Markdown.' })
  description?: string;

  @EnumArgument(TICKET_PRIORITIES, { description: 'Priority.' })
  priority?: string;

  @EnumArgument(TICKET_TYPES, { description: 'Type of the ticket.' })
  ticket_type?: string;

  @EnumArgument(TICKET_CHANNELS, { description: 'Default internal.' })
  channel?: string;

  @AddressArgument({ description: 'An address, or {{requester.email}}.' })
  requester_email?: string;

  @RecordArgument('companies', { description: 'Company.' })
  company_id?: number;

  @RecordArgument('categories', { description: 'Category.' })
  category_id?: number;

  @RecordArgument('teams', { description: 'Team.' })
  team_id?: number;

  @UserArgument('Assignee.')
  assigned_to?: number;

  @TagsArgument({ description: 'Tags.' })
  tags?: string;

  @CustomFieldsArgument({ description: 'Flat object; its texts may hold variables.' })
  custom_fields?: Record<string, unknown>;
}

export class CreateMeetingParameters {
  @RecordArgument('meeting_types', {
    required: true,
    description: 'Type of meeting; its next free slot is booked.',
  })
  type_id: number;

  @UserArgument('Host; who of the type is free unless given.')
  host_id?: number;

  @TemplateArgument({ max: 255, description: 'Title; the name of the type unless given.' })
  title?: string;

  @TemplateArgument({ max: 20_000, description: 'Text.' })
  description?: string;

  @AddressArgument({ description: 'An address, or a template; the requester of the ticket unless given.' })
  attendee_email?: string;
}
