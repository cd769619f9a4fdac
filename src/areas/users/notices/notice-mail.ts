import type { NotificationPreferences } from './notification-preferences';

type Wish = Extract<keyof NotificationPreferences, 'assigned' | 'replied' | 'sla'>;

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

/** What a mail tells of a ticket: what it was when it happened. */
export interface ToldTicket {
  code: string | null;
  subject: string | null;
  priority: string | null;
  assigned_to: number | null;
  /** Name of who did it. */
  actor: string | null;
}

/** The mail that tells a user of an event. Comments are not quoted: what is said in a ticket is read there. */
export function noticeMail(type: Noticed, told: ToldTicket, userId: number): { subject: string; text: string } {
  const { code, subject, priority, actor } = told;
  const name = `${code ?? 'Ticket'} ${subject ?? ''}`.trim();
  const isMine = told.assigned_to === userId;
  const happened = sentence(type, isMine, actor ?? 'Somebody');
  return {
    subject: `[${code ?? 'Ticket'}] ${headline(type, isMine)}: ${subject ?? ''}`.replace(/:\s*$/, ''),
    text: `${happened}\n\n${name}\nPriority: ${priority ?? '–'}\n`,
  };
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
