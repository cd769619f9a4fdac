import { collected } from '../../platform/area/collected';
import type { ParameterKind as AreaParameterKind, ParameterSpec, RuleAction } from '../../platform/area/rules';
import { TICKET_CHANNELS, TICKET_PRIORITIES, TICKET_TYPES } from '../tickets/ticket-values';

/** What a parameter of an action holds: what any area may ask for, and what only actions on tickets do. */
export type ParameterKind =
  | AreaParameterKind
  /** name of a ticket field that rules may set */
  | 'ticket_field'
  /** value of the field that `field` names */
  | 'field_value';

const MAX_TEXT = 65_536;

const user = (description: string): ParameterSpec => ({ kind: 'reference', references: 'users', description });

/** The actions of this area (product reference 4.2) and their parameters; others declare theirs. */
const own: Readonly<Record<string, Omit<RuleAction<ParameterKind>, 'type'>>> = {
  set_field: {
    label: 'Set a field',
    kind: 'field',
    parameters: {
      field: { kind: 'ticket_field', required: true, description: 'Which field.' },
      value: {
        kind: 'field_value',
        required: true,
        description: 'Its new value; null empties it. Moments may be relative: +3d, +4h, +30m, +2bd (business days).',
      },
    },
  },
  assign: {
    label: 'Assign',
    kind: 'field',
    oneOf: ['user_id', 'strategy'],
    parameters: {
      user_id: user('Who gets the ticket.'),
      strategy: {
        kind: 'enum',
        values: ['round_robin', 'least_loaded', 'last_agent'],
        description: 'Who of the team gets it: in turns, who has least to do, or who wrote to the requester last.',
      },
      team_id: {
        kind: 'reference',
        references: 'teams',
        description: 'The team; the one of the ticket unless given. The ticket is given to it, too.',
      },
    },
  },
  unassign: { label: 'Take from the assignee', kind: 'field', parameters: {} },
  add_tags: {
    label: 'Add tags',
    kind: 'field',
    parameters: { tags: { kind: 'tags', required: true, description: 'Comma-separated, or an array.' } },
  },
  remove_tags: {
    label: 'Remove tags',
    kind: 'field',
    parameters: { tags: { kind: 'tags', required: true, description: 'Comma-separated, or an array.' } },
  },
  escalate: {
    label: 'Escalate',
    kind: 'field',
    parameters: { reason: { kind: 'template', max: 1_000, description: 'Why.' } },
  },
  add_comment: {
    label: 'Add a comment',
    kind: 'field',
    parameters: {
      body: { kind: 'template', required: true, max: MAX_TEXT, description: 'Markdown.' },
      is_internal: { kind: 'boolean', description: 'Only agents see it. Default false.' },
    },
  },
  send_email: {
    label: 'Send an e-mail',
    kind: 'side_effect',
    parameters: {
      to: { kind: 'recipients', required: true, max: 20, description: '`requester`, `assignee`, or addresses.' },
      subject: { kind: 'template', required: true, max: 255, description: 'Subject.' },
      body: { kind: 'template', required: true, max: MAX_TEXT, description: 'Text.' },
    },
  },
  notify: {
    label: 'Notify users',
    kind: 'side_effect',
    parameters: {
      user_ids: { kind: 'references', references: 'users', required: true, max: 50, description: 'Who is told.' },
      message: { kind: 'template', required: true, max: 4_000, description: 'What they are told.' },
    },
  },
  webhook: {
    label: 'Call an address',
    kind: 'side_effect',
    oneOf: ['url', 'endpoint_id'],
    parameters: {
      url: { kind: 'url', description: 'A public https address.' },
      endpoint_id: { kind: 'reference', references: 'webhooks', description: 'A webhook, with its secret.' },
      method: { kind: 'enum', values: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'], description: 'Default POST.' },
      headers: { kind: 'headers', max: 20, description: 'Name to value.' },
      body: {
        kind: 'json_template',
        max: MAX_TEXT,
        description: 'An object, or JSON text; its texts may hold variables. Default: event, ticket and automation.',
      },
    },
  },
  create_ticket: {
    label: 'Create another ticket',
    kind: 'side_effect',
    parameters: {
      subject: { kind: 'template', required: true, max: 255, description: 'Subject.' },
      description: { kind: 'template', max: MAX_TEXT, description: 'Markdown.' },
      priority: { kind: 'enum', values: TICKET_PRIORITIES, description: 'Priority.' },
      ticket_type: { kind: 'enum', values: TICKET_TYPES, description: 'Type of the ticket.' },
      channel: { kind: 'enum', values: TICKET_CHANNELS, description: 'Default internal.' },
      requester_email: { kind: 'email_template', description: 'An address, or {{requester.email}}.' },
      company_id: { kind: 'reference', references: 'companies', description: 'Company.' },
      category_id: { kind: 'reference', references: 'categories', description: 'Category.' },
      team_id: { kind: 'reference', references: 'teams', description: 'Team.' },
      assigned_to: user('Assignee.'),
      tags: { kind: 'tags', description: 'Tags.' },
      custom_fields: { kind: 'custom_fields', description: 'Flat object; its texts may hold variables.' },
    },
  },
  create_meeting: {
    label: 'Book a meeting',
    kind: 'side_effect',
    parameters: {
      type_id: {
        kind: 'reference',
        references: 'meeting_types',
        required: true,
        description: 'Type of meeting; its next free slot is booked.',
      },
      host_id: user('Host; who of the type is free unless given.'),
      title: { kind: 'template', max: 255, description: 'Title; the name of the type unless given.' },
      description: { kind: 'template', max: 20_000, description: 'Text.' },
      attendee_email: {
        kind: 'email_template',
        description: 'An address, or a template; the requester of the ticket unless given.',
      },
    },
  },
  stop: { label: 'Stop: no later action and no later automation', kind: 'flow', parameters: {} },
};

/** The same as the area declares them. */
export const ownActions: readonly RuleAction<ParameterKind>[] = Object.entries(own).map(([type, spec]) => ({
  type,
  ...spec,
}));

/** Every type of action of the areas, in their order. */
export const actions = collected(({ actions: declared }) => declared);

/** What is known about a type of action; undefined for an unknown one. */
export function actionSpec(type: string): RuleAction<string> | undefined {
  return actions.find((action) => action.type === type);
}

/** Fields of a ticket that `set_field` may set, besides `custom_fields.<key>`. */
export const SETTABLE_FIELDS = [
  'status',
  'priority',
  'type',
  'category_id',
  'team_id',
  'company_id',
  'subject',
  'on_hold_reason',
  'on_hold_until',
] as const;
