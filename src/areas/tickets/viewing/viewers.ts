import { EnumMember, IdMember, ListMember, MomentMember, TextMember } from '../../../platform/http/answer-members';

/** Somebody who looks at a ticket through one stream. */
export interface Session {
  /** Of the stream. */
  key: string;
  type: 'user' | 'token';
  id: number;
  name: string;
  /** ISO 8601 */
  since: string;
}

/** Somebody who looks at a ticket. */
export class Viewer {
  @EnumMember(['user', 'token'], { description: '`token`: one that belongs to no user.' })
  type: Session['type'];

  @IdMember()
  id: number;

  @TextMember({ example: 'Ines Ortega' })
  name: string;

  @MomentMember()
  since: string;
}

/** Answer of `GET /tickets/{id}/viewing`, and the data of each event of its stream. */
export class Viewers {
  @ListMember(() => Viewer, { description: 'Who came first stands first; the caller among them.' })
  viewers: Viewer[];
}

/** Viewers of one ticket that are told. */
const MOST_SHOWN = 50;

/** Everybody once, however many windows they have open. */
export function viewersOf(sessions: readonly Session[]): Viewers {
  const people = new Map<string, Viewer>();
  for (const { type, id, name, since } of sessions.toSorted((one, other) => compare(one.since, other.since))) {
    const who = `${type} ${id}`;
    if (!people.has(who)) people.set(who, { type, id, name, since });
  }
  return { viewers: [...people.values()].slice(0, MOST_SHOWN) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
