import { CreateTickets1763600600000 } from '../../../migrations/1763600600000-create-tickets';
import { CreateRatings1763800750000 } from '../../../migrations/1763800750000-create-ratings';
import { TextsApart1764400000000 } from '../../../migrations/1764400000000-texts-apart';
import { FoldCommonWords1764700000000 } from '../../../migrations/1764700000000-fold-common-words';
import { AssignByRank1765300000000 } from '../../../migrations/1765300000000-assign-by-rank';
import { CreateTicketStatuses1766110000000 } from '../../../migrations/1766110000000-create-ticket-statuses';
import { SearchCustomFields1766120000000 } from '../../../migrations/1766120000000-search-custom-fields';
import { LinkTickets1765500000000 } from '../../../migrations/1765500000000-link-tickets';
import { FollowTickets1765510000000 } from '../../../migrations/1765510000000-follow-tickets';
import { OneIndexASort1767001000000 } from '../../../migrations/1767001000000-one-index-a-sort';
import { LessOfATicket1768820000000 } from '../../../migrations/1768820000000-less-of-a-ticket';
import { ChunksKnowTheirTime1768860000000 } from '../../../migrations/1768860000000-chunks-know-their-time';
import { TicketsWithout1768880000000 } from '../../../migrations/1768880000000-tickets-without';
import { PhrasesThatAreAsked1768890000000 } from '../../../migrations/1768890000000-phrases-that-are-asked';
import { PlanFoldingOnce1768900100000 } from '../../../migrations/1768900100000-plan-folding-once';
import { ValuesHaveBits1768910000000 } from '../../../migrations/1768910000000-values-have-bits';
import { BoundsAreValues1768920000000 } from '../../../migrations/1768920000000-bounds-are-values';
import { MergedTicketsAreNamed1768935000000 } from '../../../migrations/1768935000000-merged-tickets-are-named';
import { EachLevelHasARank1768992120000 } from '../../../migrations/1768992120000-each-level-has-a-rank';
import { PhrasesHaveBits1768300000000 } from '../../../migrations/1768300000000-phrases-have-bits';
import { ResolveIncidents1765520000000 } from '../../../migrations/1765520000000-resolve-incidents';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { Handovers } from './assigning/handovers';
import { TicketDuties } from './assigning/ticket-duties';
import { commentResource } from './comment.resource';
import { followerResource } from './followers/follower.resource';
import { historyResource } from './history.resource';
import { RatingRequest } from './rating/rating-request';
import { ratingRequestMail } from './rating/rating-request.mail';
import { ratingResource } from './rating/rating.resource';
import { linkResource } from './relations/link.resource';
import { customStatusResource } from './statuses/custom-status.resource';
import { besideTickets, ticketEvents } from './ticket-events';
import { ticketResource } from './ticket.resource';
import { ticketSearch } from './ticket-search';
import { TicketsModule } from './tickets.module';
import { ticketsPersonal } from './tickets.personal';

const statusEvents = changesOf('ticket_status', 'A custom ticket status');

/** Requests for help: tickets, their comments, history, batches and ratings. */
export const ticketsArea = defineArea({
  name: 'tickets',
  module: TicketsModule,
  resources: [
    ticketResource,
    commentResource,
    historyResource,
    ratingResource,
    linkResource,
    followerResource,
    customStatusResource,
  ],
  migrations: [
    CreateTickets1763600600000,
    CreateRatings1763800750000,
    TextsApart1764400000000,
    FoldCommonWords1764700000000,
    AssignByRank1765300000000,
    CreateTicketStatuses1766110000000,
    SearchCustomFields1766120000000,
    LinkTickets1765500000000,
    FollowTickets1765510000000,
    ResolveIncidents1765520000000,
    OneIndexASort1767001000000,
    PhrasesHaveBits1768300000000,
    LessOfATicket1768820000000,
    ChunksKnowTheirTime1768860000000,
    TicketsWithout1768880000000,
    PhrasesThatAreAsked1768890000000,
    PlanFoldingOnce1768900100000,
    ValuesHaveBits1768910000000,
    BoundsAreValues1768920000000,
    MergedTicketsAreNamed1768935000000,
    EachLevelHasARank1768992120000,
  ],
  permissions: [
    ...usualPermissions('tickets', 'tickets', {
      read: 'light_agent',
      create: 'agent',
      update: 'agent',
      delete: 'supervisor',
    }),
    ...usualPermissions('ticket-statuses', 'custom ticket statuses', {
      read: 'light_agent',
      create: 'admin',
      update: 'admin',
      delete: 'admin',
    }),
    { name: 'tickets.comment', description: 'Write internal notes, and change the own ones.', from: 'light_agent' },
    { name: 'tickets.reply', description: 'Write what the requester reads.', from: 'agent' },
    { name: 'tickets.redact', description: 'Take a text out of comments, for good.', from: 'supervisor' },
  ],
  personal: ticketsPersonal,
  events: {
    domain: 'ticket',
    label: 'Tickets',
    events: { ...ticketEvents, ...statusEvents },
    beside: besideTickets,
  },
  // Of a ticket that is gone, nothing could be done.
  triggers: Object.keys(ticketEvents).filter((type) => type !== 'ticket.deleted'),
  consumers: [RatingRequest, Handovers],
  duties: [TicketDuties],
  demo: [
    {
      resource: customStatusResource,
      values: { name: 'Waiting for a supplier', status: 'on_hold', color: '#C2410C', position: 1 },
    },
  ],
  mails: [ratingRequestMail],
  search: [ticketSearch],
  tags: [
    {
      name: 'Tickets',
      place: 10,
      description: 'Requests for help: their life, comments, batches, history, SLA clocks and ratings.',
    },
  ],
  examples: {
    'tickets.assign': { id: 196 },
    'tickets.comments.delete': { id: 3 },
    'tickets.comments.get': { id: 3 },
    'tickets.comments.list': { id: 3 },
    'tickets.comments.redact': { id: 3 },
    'tickets.comments.update': { id: 3 },
    'tickets.deescalate': { id: 196 },
    'tickets.escalate': { id: 196 },
    'tickets.followers.delete': { id: 3 },
    'tickets.followers.get': { id: 3 },
    'tickets.followers.list': { id: 3 },
    'tickets.links.delete': { id: 3 },
    'tickets.links.get': { id: 3 },
    'tickets.links.list': { id: 3 },
    'tickets.merge': { id: 2 },
  },
});
