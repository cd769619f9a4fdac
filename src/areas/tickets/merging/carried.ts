import type { Row, Values } from '../../../platform/resource/rows';
import { firstCharacters } from '../../../platform/text/normalise';
import { copiesWith } from '../followers/copies';
import { MAX_TEXT } from '../ticket-values';
import type { Ticket } from '../ticket.entity';

/**
 * What the ticket that goes on takes over of one that is merged into it; its requester gets copies from now on.
 *
 * @param comments how many there are more
 */
export function carriedValues(source: Row<Ticket>, target: Row<Ticket>, comments: number): Values<Ticket> {
  const others = [source.requester_email, ...source.cc_emails];
  return {
    comment_count: target.comment_count + comments,
    reply_count: target.reply_count + source.reply_count,
    cc_emails: copiesWith(target.cc_emails, others, target.requester_email),
    last_requester_comment_at: later(source.last_requester_comment_at, target.last_requester_comment_at),
    last_agent_comment_at: later(source.last_agent_comment_at, target.last_agent_comment_at),
  };
}

/** What the requester of a merged ticket asked for, as a comment; null where it was nothing but the subject. */
export function carriedDescription({ subject, code, description }: Row<Ticket>): string | null {
  if (description.trim() === '') return null;
  return firstCharacters(`**${subject}** (${code})\n\n${description}`, MAX_TEXT);
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}
