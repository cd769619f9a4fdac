/** Events of one domain: type to what happened, in one sentence. */
export interface EventDomainTable {
  domain: string;
  label: string;
  events: Readonly<Record<string, string>>;
  /** Other names under which a type may be subscribed to. */
  aliases?: Readonly<Record<string, string>>;
}

const changes = (object: string, name: string): Record<string, string> => ({
  [`${object}.created`]: `${name} was created.`,
  [`${object}.updated`]: `${name} was changed; \`changes\` names the fields.`,
  [`${object}.deleted`]: `${name} was deleted; \`data\` holds its last state.`,
});

/** Every event of the built-in areas (product reference 5.1), by domain. Extensions add theirs with `declareEvents`. */
export const EVENT_TABLE: readonly EventDomainTable[] = [
  {
    domain: 'ticket',
    label: 'Tickets',
    events: {
      ...changes('ticket', 'A ticket'),
      'ticket.status_changed': 'The status of a ticket changed.',
      'ticket.priority_changed': 'The priority of a ticket changed.',
      'ticket.assigned': 'A ticket was given to a user.',
      'ticket.unassigned': 'A ticket no longer belongs to anybody.',
      'ticket.escalated': 'A ticket was escalated; comes without `ticket.updated`.',
      'ticket.resolved': 'A ticket was resolved.',
      'ticket.closed': 'A ticket was closed.',
      'ticket.reopened': 'A resolved or closed ticket was opened again.',
      'ticket.merged': 'A ticket was merged into another; `data` holds both.',
      'ticket.comment_added': 'A comment was added to a ticket; `data.comment` holds it.',
      'ticket.comment_updated': 'The text of a comment was changed.',
      'ticket.comment_deleted': 'A comment was deleted.',
      'ticket.csat_received': 'A requester rated a ticket.',
    },
  },
  {
    domain: 'sla',
    label: 'Service levels',
    events: {
      'ticket.sla_breach': 'A ticket missed a target of its SLA policy; `data.sla` names it.',
      'ticket.sla_at_risk': 'A ticket is about to miss a target of its SLA policy.',
      'ticket.sla_met': 'A ticket met a target of its SLA policy.',
      'ticket.sla_paused': 'The clocks of a ticket stand still.',
      'ticket.sla_resumed': 'The clocks of a ticket run again.',
      ...changes('sla_policy', 'An SLA policy'),
    },
    aliases: { 'sla.breach': 'ticket.sla_breach' },
  },
  {
    domain: 'company',
    label: 'Companies and contacts',
    events: { ...changes('company', 'A company'), ...changes('contact', 'A contact') },
  },
  {
    domain: 'user',
    label: 'Users and teams',
    events: {
      'user.created': 'A user was created.',
      'user.updated': 'A user was changed; `changes` names the fields.',
      'user.deactivated': 'A user was deactivated.',
      'user.availability_changed': 'A user came online, went away or offline.',
      ...changes('team', 'A team'),
    },
  },
  { domain: 'category', label: 'Categories', events: changes('category', 'A category') },
  {
    domain: 'automation',
    label: 'Automations',
    events: {
      ...changes('automation', 'An automation'),
      'automation.executed': 'An automation acted on a record.',
      'automation.failed': 'An action of an automation failed.',
      'automation.suspended': 'An automation was suspended because it ran too often.',
    },
  },
  {
    domain: 'kb',
    label: 'Knowledge base',
    events: {
      ...changes('kb_article', 'An article'),
      'kb_article.published': 'An article was published, or a new version of it.',
      'kb_article.archived': 'An article was archived.',
      'kb_article.feedback_received': 'A reader said whether an article helped.',
      ...changes('kb_category', 'A category of the knowledge base'),
    },
  },
  {
    domain: 'asset',
    label: 'Assets',
    events: {
      ...changes('asset', 'An asset'),
      'asset.assigned': 'An asset was given to somebody.',
      'asset.unassigned': 'An asset came back.',
      'asset.audited': 'An asset was seen and checked.',
      'asset.retired': 'An asset was retired, lost or disposed of.',
      'asset.warranty_expiring': 'The warranty of an asset ends within 30 days.',
    },
  },
  {
    domain: 'meeting',
    label: 'Meetings',
    events: {
      'meeting.created': 'A meeting was booked.',
      'meeting.updated': 'A meeting was changed; `changes` names the fields.',
      'meeting.rescheduled': 'A meeting was moved to another time.',
      'meeting.confirmed': 'A requested meeting was confirmed.',
      'meeting.rejected': 'A requested meeting was declined.',
      'meeting.cancelled': 'A meeting was cancelled.',
      'meeting.completed': 'A meeting took place.',
      'meeting.no_show': 'Nobody came to a meeting.',
      'meeting.reminder_due': 'A meeting begins soon; `data.reminder` says in how many minutes.',
      ...changes('meeting_type', 'A type of meeting'),
    },
  },
  {
    domain: 'crm',
    label: 'CRM',
    events: {
      ...changes('lead', 'A lead'),
      'lead.status_changed': 'The status of a lead changed.',
      'lead.converted': 'A lead became a deal.',
      ...changes('deal', 'A deal'),
      'deal.stage_changed': 'A deal moved to another stage.',
      'deal.won': 'A deal was won.',
      'deal.lost': 'A deal was lost.',
      'deal.reopened': 'A won or lost deal was opened again.',
      ...changes('pipeline', 'A pipeline'),
      ...changes('stage', 'A stage of a pipeline'),
    },
  },
  {
    domain: 'quote',
    label: 'Quotes',
    events: {
      ...changes('quote', 'A quote'),
      'quote.sent': 'A quote was sent.',
      'quote.viewed': 'The recipient opened a quote for the first time.',
      'quote.accepted': 'A quote was accepted.',
      'quote.rejected': 'A quote was rejected.',
      'quote.expired': 'A quote expired.',
      'quote.cancelled': 'A quote was cancelled.',
      'quote.revised': 'A quote was replaced by a new revision.',
    },
  },
  {
    domain: 'integration',
    label: 'Integrations',
    events: {
      'integration.installed': 'An integration was installed.',
      'integration.updated': 'An integration was changed; `changes` names the fields.',
      'integration.removed': 'An integration was removed.',
      'integration.error': 'An integration stopped working.',
    },
  },
  {
    domain: 'system',
    label: 'System',
    events: {
      'webhook.ping': 'A test delivery, sent on request only.',
      'webhook.created': 'A webhook was created.',
      'webhook.updated': 'A webhook was changed; `changes` names the fields.',
      'webhook.deleted': 'A webhook was deleted.',
      'webhook.deactivated': 'A webhook was deactivated because its deliveries failed.',
      'quota.warning': 'More than 80 % of the monthly quota is used.',
      'quota.exceeded': 'The monthly quota is used up.',
      'token.created': 'A token was issued.',
      'token.revoked': 'A token was revoked.',
    },
  },
];
