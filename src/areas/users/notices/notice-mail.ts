import type { LetterParts } from '../../../platform/mail/letter/letter';
import type { NotificationPreferences } from './notification-preferences';

export type Wish = Extract<keyof NotificationPreferences, 'assigned' | 'replied' | 'sla' | 'mentioned' | 'followed'>;

/** Which wish of a user decides about an event. */
export const NOTICED = {
  'ticket.created': 'assigned',
  'ticket.assigned': 'assigned',
  'ticket.escalated': 'assigned',
  'ticket.comment_added': 'replied',
  'ticket.sla_at_risk': 'sla',
  'ticket.sla_breach': 'sla',
} as const satisfies Record<string, Wish>;

export type Noticed = keyof typeof NOTICED;

/** What somebody who follows a ticket is told of. */
export const FOLLOWED = [
  'ticket.comment_added',
  'ticket.escalated',
  'ticket.resolved',
  'ticket.closed',
  'ticket.reopened',
] as const;

type Followed = (typeof FOLLOWED)[number];

/** What may name users, in `related.comment.mentioned_ids`. */
export const MENTIONING: readonly string[] = ['ticket.comment_added', 'ticket.comment_updated'];

/** What a mail tells of a ticket: what it was when it happened. */
export interface ToldTicket {
  code: string | null;
  subject: string | null;
  priority: string | null;
  assigned_to: number | null;
  /** Name of who did it. */
  actor: string | null;
}

/** A mail to a user of the workspace. */
export interface NoticeMail {
  subject: string;
  text: string;
  letter: LetterParts;
}

/** The mail that tells a user of an event. Comments are not quoted: what is said in a ticket is read there. */
export function noticeMail(type: Noticed, told: ToldTicket, userId: number): NoticeMail {
  const isMine = told.assigned_to === userId;
  return letter(headline(type, isMine), sentence(type, isMine, told.actor ?? 'Somebody'), told);
}

function letter(headline: string, happened: string, { code, subject, priority }: ToldTicket): NoticeMail {
  const name = `${code ?? 'Ticket'} ${subject ?? ''}`.trim();
  return {
    subject: `[${code ?? 'Ticket'}] ${headline}: ${subject ?? ''}`.replace(/:\s*$/, ''),
    text: happened,
    letter: { language: 'en', heading: name, facts: [['Priority', priority ?? '–']], reference: code ?? '' },
  };
}

const BECAME: Readonly<Record<Followed, readonly [headline: string, did: string]>> = {
  'ticket.comment_added': ['Comment', 'has commented on'],
  'ticket.escalated': ['Escalated', 'has escalated'],
  'ticket.resolved': ['Resolved', 'has resolved'],
  'ticket.closed': ['Closed', 'has closed'],
  'ticket.reopened': ['Reopened', 'has reopened'],
};

/** The mail that tells somebody who follows a ticket. */
export function followedMail(type: Followed, told: ToldTicket): NoticeMail {
  const [headline, did] = BECAME[type];
  return letter(headline, `${told.actor ?? 'Somebody'} ${did} a ticket that you follow.`, told);
}

/** The mail that tells somebody that a note names them. */
export function mentionMail(told: ToldTicket): NoticeMail {
  return letter('You are mentioned', `${told.actor ?? 'Somebody'} has mentioned you in a note.`, told);
}

function headline(type: Noticed, isMine: boolean): string {
  if (type === 'ticket.sla_breach') return 'Target missed';
  if (type === 'ticket.sla_at_risk') return 'Target at risk';
  if (type === 'ticket.comment_added') return 'Answer';
  return isMine ? 'Assigned to you' : 'For your team';
}

function sentence(type: Noticed, isMine: boolean, actor: string): string {
  const whose = isMine ? 'your ticket' : 'a ticket of your team';
  if (type === 'ticket.sla_breach') return `A target of ${whose} was missed.`;
  if (type === 'ticket.sla_at_risk') return `A target of ${whose} is about to be missed.`;
  if (type === 'ticket.comment_added') return `${actor} has answered in ${whose}.`;
  if (!isMine) return `${actor} has brought a ticket to your team; nobody has it yet.`;
  return type === 'ticket.escalated'
    ? `${actor} has escalated a ticket to you.`
    : `${actor} has assigned a ticket to you.`;
}
