import { CountsMember, IdMember, IntegerMember, ListMember, TextMember } from '../../platform/http/answer-members';

const COUNTS = ['open', 'on_hold', 'idle', 'at_risk', 'breached'] as const;

/** Tickets that are not done, by what they wait for. */
export type TicketCounts = Record<(typeof COUNTS)[number], number>;

const MEANING =
  '`open`: open or in progress; `idle`: those of them in which nobody has written for a day; `at_risk`, `breached`: by their SLA.';

/** What one member has to do. */
export class MemberMetrics {
  @IdMember()
  user_id: number;

  @TextMember({ nullable: true, description: 'Null, as what follows of the user, for who may not read users.' })
  name: string | null;

  @TextMember({ nullable: true, description: 'As users say it.', example: 'online' })
  availability: string | null;

  @IntegerMember({
    nullable: true,
    description: 'With how many open tickets the member, else the team, is given no more.',
  })
  limit: number | null;

  @CountsMember(COUNTS, `Tickets of the member, of any team. ${MEANING}`)
  tickets: TicketCounts;
}

/** Answer of `GET /teams/{id}/metrics`. */
export class TeamMetrics {
  @ListMember(() => MemberMetrics, { description: 'Active members, who has least to do first.' })
  members: MemberMetrics[];

  @CountsMember(COUNTS, 'Tickets of the team that nobody has.')
  unassigned: TicketCounts;
}
