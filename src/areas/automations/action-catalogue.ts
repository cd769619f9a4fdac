import { collected } from '../../platform/area/collected';
import type { Action, RuleAction } from '../../platform/area/rules';
import {
  AddCommentParameters,
  AssignParameters,
  CreateMeetingParameters,
  CreateTicketParameters,
  EscalateParameters,
  NotifyParameters,
  SendEmailParameters,
  SetFieldParameters,
  TagsParameters,
  WebhookParameters,
} from './action-parameters';

/** The actions of this area (product reference 4.2); others declare theirs. */
export const ownActions: readonly RuleAction[] = [
  { type: 'set_field', label: 'Set a field', kind: 'field', parameters: SetFieldParameters },
  {
    type: 'assign',
    label: 'Assign',
    kind: 'field',
    parameters: AssignParameters,
    oneOf: ['user_id', 'strategy'],
  },
  { type: 'unassign', label: 'Take from the assignee', kind: 'field' },
  { type: 'add_tags', label: 'Add tags', kind: 'field', parameters: TagsParameters },
  { type: 'remove_tags', label: 'Remove tags', kind: 'field', parameters: TagsParameters },
  { type: 'escalate', label: 'Escalate', kind: 'field', parameters: EscalateParameters },
  {
    type: 'add_comment',
    label: 'Add a comment',
    kind: 'field',
    parameters: AddCommentParameters,
    permission: 'tickets.comment',
  },
  {
    type: 'send_email',
    label: 'Send an e-mail',
    kind: 'side_effect',
    parameters: SendEmailParameters,
    permission: 'tickets.reply',
    addresses: ({ to }) => addressesIn(to),
  },
  {
    type: 'notify',
    label: 'Notify users',
    kind: 'side_effect',
    parameters: NotifyParameters,
    addresses: ({ user_ids: ids }) => [ids].flat().map((id) => `user ${String(id)}`),
  },
  {
    type: 'webhook',
    label: 'Call an address',
    kind: 'side_effect',
    parameters: WebhookParameters,
    oneOf: ['url', 'endpoint_id'],
    addresses: ({ url }) => (typeof url === 'string' ? [url] : []),
  },
  {
    type: 'create_ticket',
    label: 'Create another ticket',
    kind: 'side_effect',
    parameters: CreateTicketParameters,
    permission: 'tickets.create',
    addresses: ({ requester_email: email }) => addressesIn(email),
  },
  {
    type: 'create_meeting',
    label: 'Book a meeting',
    kind: 'side_effect',
    parameters: CreateMeetingParameters,
    permission: 'meetings.create',
    addresses: ({ attendee_email: email }) => addressesIn(email),
  },
  { type: 'stop', label: 'Stop: no later action and no later automation', kind: 'flow' },
];

/** What of an argument names an address itself; `requester` and templates name whom the record has. */
function addressesIn(argument: unknown): string[] {
  return [argument].flat().filter((each): each is string => typeof each === 'string' && each.includes('@'));
}

/** Every type of action of the areas, in their order. */
export const actions = collected(({ actions: declared }) => declared);

/** Whom actions tell of what they are applied to, by choice of whoever wrote them. */
export function addressesOf(all: readonly Action[]): string[] {
  return all.flatMap((action) => actionSpec(action.type)?.addresses?.(action) ?? []);
}

/** What is known about a type of action; undefined for an unknown one. */
export function actionSpec(type: string): RuleAction | undefined {
  return actions.find((action) => action.type === type);
}
