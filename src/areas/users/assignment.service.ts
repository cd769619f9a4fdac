// Own reads: every ticket that is given asks for its assignee, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { countOf } from '../../platform/resource/many-changes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { User } from './user.entity';

/** Who gets a ticket. */
export interface Assignee {
  id: number;
  /** The user asked for, when that one is out of office and `id` stands in. */
  reassigned_from: number | null;
}

/** What of a user decides who gets their tickets. */
interface Agent {
  id: number;
  status: string;
  out_of_office: { from?: string; to?: string; replacement_user_id?: number } | null;
  max_open_tickets: number | null;
}

/** What is to be given, and how it is asked for. */
export interface Giving {
  /** Member of the body that names the user, for errors. */
  field: string;
  /** Tickets that will be open in the user's hands, besides those that are; 0 for one that is done. Default 1. */
  tickets?: number;
  /** Somebody who stands in for nobody: whoever is leaving. */
  without?: number;
}

/** The one rule of who gets a ticket, for every way of giving it. Inside the unit of work of the ticket. */
@Injectable()
export class Assignment {
  constructor(
    @InjectStore(User) private readonly users: Store<User>,
    private readonly database: Database,
  ) {}

  /**
   * The user, or their stand-in while out of office; 422 unless active and below `max_open_tickets`. A stand-in who has
   * left or has no room, or a circle of absences, replaces nobody. Holds everyone looked at active until the commit, and
   * whoever has a limit from being given other tickets meanwhile.
   */
  async to(userId: number, { field, tickets = 1, without }: Giving): Promise<Assignee> {
    const asked = await this.held(userId);
    if (!asked) invalid(field, 'not_found', `"${field}" names a user that does not exist.`);
    if (asked.status !== 'active')
      invalid(field, 'inactive', `"${field}" names a user that is ${asked.status}; only active users can be assigned.`);
    const now = new Date(await this.database.moment());
    const standIn = await this.standIn(asked, now, tickets, without);
    if (standIn !== null) return { id: standIn, reassigned_from: userId };
    const full = await this.full(asked, tickets);
    if (full) {
      const { open, max } = full;
      const message = `"${field}" names a user who has ${open} open tickets and takes at most ${max}.`;
      invalid(field, 'max_open_tickets', message, { open_tickets: open, max });
    }
    return { id: userId, reassigned_from: null };
  }

  /** The same where nobody in particular was asked for; null where `to` would refuse. */
  async toIfPossible(userId: number, tickets = 1): Promise<Assignee | null> {
    const asked = await this.held(userId);
    if (asked?.status !== 'active') return null;
    const standIn = await this.standIn(asked, new Date(await this.database.moment()), tickets);
    if (standIn !== null) return { id: standIn, reassigned_from: userId };
    return (await this.full(asked, tickets)) ? null : { id: userId, reassigned_from: null };
  }

  /** Who takes the tickets of an absent user at the end of the line of stand-ins; null when nobody does. */
  private async standIn(asked: Agent, now: Date, tickets: number, without?: number): Promise<number | null> {
    const seen = new Set([asked.id]);
    let last: number | null = null;
    for (let next = standInOf(asked, now); next !== null;) {
      if (seen.has(next)) return null;
      if (next === without) break;
      const replacement = await this.held(next);
      if (replacement?.status !== 'active') break;
      seen.add(next);
      const after = standInOf(replacement, now);
      if (!(await this.full(replacement, tickets))) last = next;
      next = after;
    }
    return last;
  }

  /** How full the hands of a user with a limit would be; null when there is room. Their count stands until the commit. */
  private async full(user: Agent, tickets: number): Promise<{ open: number; max: number } | null> {
    const max = user.max_open_tickets;
    if (max === null || tickets === 0) return null;
    const counted = (): Promise<number> => openTicketsOf(this.database, user.id);
    const open = await this.users.holding(counted, `tickets of user ${user.id}`);
    return open + tickets > max ? { open, max } : null;
  }

  private async held(userId: number): Promise<Agent | undefined> {
    const [user] = await this.database.query<Agent>(
      `SELECT id, status, out_of_office, max_open_tickets FROM users WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
      [currentWorkspaceId(), userId],
    );
    return user;
  }
}

/** How many tickets are open in the hands of a user. Inside a unit of work. */
export function openTicketsOf(database: Database, userId: number): Promise<number> {
  const open = `m.status IN ('open', 'in_progress', 'on_hold')`;
  return countOf(database, 'tickets', (bind) => `m.assigned_to = ${bind(userId)} AND ${open}`);
}

/** Who stands in for the user at that moment; null when the user is there, or named nobody. */
function standInOf({ out_of_office: away }: Agent, now: Date): number | null {
  const time = now.getTime();
  const began = away?.from === undefined || new Date(away.from).getTime() <= time;
  const ended = away?.to !== undefined && new Date(away.to).getTime() <= time;
  return away && began && !ended ? (away.replacement_user_id ?? null) : null;
}
