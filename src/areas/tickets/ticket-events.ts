import { changesOf, wholeRecord } from '../../platform/events/event-domain';

/** What can happen to a ticket. */
export const ticketEvents = {
  ...changesOf('ticket', 'A ticket'),
  'ticket.status_changed': 'The status of a ticket changed.',
  'ticket.priority_changed': 'The priority of a ticket changed.',
  'ticket.assigned': 'A ticket was given to a user; `data.assignment` says why to that one.',
  'ticket.unassigned': 'A ticket no longer belongs to anybody.',
  'ticket.escalated': 'A ticket was escalated; comes without `ticket.updated`.',
  'ticket.deescalated': 'An escalation was taken back; comes without `ticket.updated`.',
  'ticket.resolved': 'A ticket was resolved.',
  'ticket.closed': 'A ticket was closed.',
  'ticket.reopened': 'A resolved or closed ticket was opened again.',
  'ticket.merged': 'A ticket was merged into another; `data` holds both.',
  'ticket.followed_up': 'A closed ticket got a follow-up; `data.follow_up` names it.',
  'ticket.incidents_resolved': 'The incidents of a problem were resolved with it; `data.incidents` counts them.',
  'ticket.followed':
    'A user was made to follow a ticket; `data.follower` names them. Those whom a note names come with it.',
  'ticket.unfollowed': 'A user no longer follows a ticket.',
  'ticket.linked': 'A ticket was linked with another; both tell of it, `data.link` as it looks from there.',
  'ticket.unlinked': 'A link between two tickets was removed; both tell of it.',
  'ticket.comment_added': 'A comment was added to a ticket; `data.comment` holds it.',
  'ticket.comment_updated': 'A comment was changed; `data.comment` says what of it.',
  'ticket.comment_deleted': 'A comment was deleted.',
  'ticket.anonymised': 'Who asked and what was said was taken out of a ticket that was closed long ago.',
  'ticket.comment_redacted': 'A text was taken out of a comment; `data.comment` says what is left.',
  'ticket.csat_received': 'A requester rated a ticket.',
};

const ID = 17;
const MOMENT = '2026-10-20T08:00:00.123Z';

const escalation = {
  level: 1,
  from_priority: 'low',
  to_priority: 'high',
  from_user: null,
  to_user: 12,
  to_team: null,
  reason: 'Called twice',
  actor: { type: 'user', id: 12, name: 'Ada Lovelace' },
  at: MOMENT,
};
const follower = { id: ID, ticket_id: 42, user_id: 12 };
const link = { id: ID, type: 'relates', ticket_id: 42, linked_ticket_id: 43 };

/** What the events hold beside the ticket. */
export const besideTickets: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'ticket.assigned': { assignment: { way: 'person' } },
  'ticket.escalated': { escalation, notify: true },
  'ticket.deescalated': { escalation: { ...escalation, level: 0, from_priority: 'high', to_priority: 'low' } },
  'ticket.merged': { merged_into: { id: 43, code: 'TCK-000043' } },
  'ticket.followed_up': { follow_up: { id: 43 } },
  'ticket.incidents_resolved': { incidents: { resolved: 12, kept: 0 } },
  'ticket.followed': { follower },
  'ticket.unfollowed': { follower },
  'ticket.linked': { link },
  'ticket.unlinked': { link },
  'ticket.comment_added': { comment: wholeRecord('ticket_comment') },
  'ticket.comment_updated': {
    comment: { id: ID, previous_body: 'It is loud.', body: 'It is loud at night.', mentioned_ids: [] },
  },
  'ticket.comment_deleted': {
    comment: { id: ID, author_type: 'agent', author_id: 12, author_name: 'Ada Lovelace', is_internal: true },
  },
  'ticket.comment_redacted': { comment: { id: ID, body: 'The card is [redacted].' } },
  'ticket.csat_received': {
    rating: { resolution: 1, score: 5, comment: 'Thank you', source: 'link', rated_at: MOMENT },
  },
};
