import type { OneOf } from '../../../platform/resource/rows';

/** How a ticket is linked with another, as seen from the one. */
export const LINK_TYPES = ['relates', 'duplicates', 'duplicated_by', 'blocks', 'blocked_by'] as const;
export type LinkType = OneOf<typeof LINK_TYPES>;

const OPPOSITES: Readonly<Record<LinkType, LinkType>> = {
  relates: 'relates',
  duplicates: 'duplicated_by',
  duplicated_by: 'duplicates',
  blocks: 'blocked_by',
  blocked_by: 'blocks',
};

/** The same link as seen from the other ticket. */
export const oppositeOf = (type: LinkType): LinkType => OPPOSITES[type];

/** A link as it is kept: `from` does to `to` what the type says. */
export interface KeptLink {
  type: 'relates' | 'duplicates' | 'blocks';
  from: number;
  to: number;
}

/** The same as one of its tickets shows it. */
export interface LinkSide {
  type: LinkType;
  ticket_id: number;
  linked_ticket_id: number;
}

export function sidesOf({ type, from, to }: KeptLink): LinkSide[] {
  return [
    { type, ticket_id: from, linked_ticket_id: to },
    { type: oppositeOf(type), ticket_id: to, linked_ticket_id: from },
  ];
}

/** The row of a link that is asked for from either of its tickets. */
export function keptLink(ticketId: number, type: LinkType, otherId: number): KeptLink {
  if (type === 'duplicated_by') return { type: 'duplicates', from: otherId, to: ticketId };
  if (type === 'blocked_by') return { type: 'blocks', from: otherId, to: ticketId };
  return { type, from: ticketId, to: otherId };
}
