// Own reads: every ticket that is given asks for its assignee, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { countOf } from '../../platform/resource/many-changes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type Agent, isAbsent, lacking, unfitness } from './candidates';
import { User } from './user.entity';

/** Who gets a ticket. */
export interface Assignee {
  id: number;
  /** The user asked for, when that one is out of office and `id` stands in. */
  reassigned_from: number | null;
  /** Of the skills that the ticket needs those that the assignee has not: only who was named may lack any. */
  lacks: readonly string[];
}

/** Why somebody has left what is theirs. */
export type Leaving = 'absence' | 'suspension' | 'leaving';

/** What is to be given. */
export interface Given {
  /** Tickets that will be open in the user's hands, besides those that are; 0 for one that is done. Default 1. */
  tickets?: number;
  /** What it takes to work on it; who is not named must have all of them. */
  skills?: readonly string[];
  /** Somebody who stands in for nobody: whoever is leaving. */
  without?: number;
}

/** The same, and how it is asked for. */
export interface Giving extends Given {
  /** Member of the body that names the user, for errors. */
  field: string;
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
   * left, has no room or lacks a skill, or a circle of absences, replaces nobody. Holds everyone looked at active until the
   * commit, and whoever has a limit from being given other tickets meanwhile.
   */
  async to(userId: number, { field, ...given }: Giving): Promise<Assignee> {
    const asked = await this.held(userId);
    if (!asked) invalid(field, 'not_found', `"${field}" names a user that does not exist.`);
    if (asked.status !== 'active')
      invalid(field, 'inactive', `"${field}" names a user that is ${asked.status}; only active users can be assigned.`);
    const standIn = await this.standInOf(asked, given);
    if (standIn !== null) return { id: standIn, reassigned_from: userId, lacks: [] };
    const full = await this.full(asked, given.tickets);
    if (full) {
      const { open, max } = full;
      const message = `"${field}" names a user who has ${open} open tickets and takes at most ${max}.`;
      invalid(field, 'max_open_tickets', message, { open_tickets: open, max });
    }
    return { id: userId, reassigned_from: null, lacks: lacking(given.skills ?? [], asked) };
  }

  /** The same where nobody in particular was asked for: null where they and who stands in for them cannot take it. */
  async toIfPossible(userId: number, given: Given = {}): Promise<Assignee | null> {
    const asked = await this.held(userId);
    if (asked?.status !== 'active') return null;
    const standIn = await this.standInOf(asked, given);
    if (standIn !== null) return { id: standIn, reassigned_from: userId, lacks: [] };
    return (await this.canTake(asked, given)) ? { id: userId, reassigned_from: null, lacks: [] } : null;
  }

  /** Whether the user themselves can take it now, found by rank or in any other way; holds them like `to`. */
  async isFree(userId: number, given: Given): Promise<boolean> {
    const user = await this.held(userId);
    return user !== undefined && this.canTake(user, given);
  }

  /**
   * Why nobody should wait for the user: not active any more, or away by an absence that hands over what is open
   * (`reassign_open_tickets`). Null when they go on themselves; holds them.
   */
  async leftBy(userId: number): Promise<Leaving | null> {
    const user = await this.held(userId);
    if (user?.status !== 'active') return user?.status === 'suspended' ? 'suspension' : 'leaving';
    if (user.out_of_office?.reassign_open_tickets !== true) return null;
    return isAbsent(user, Date.parse(await this.database.moment())) ? 'absence' : null;
  }

  /** Who takes what an absent user has, by the line of their stand-ins; null when nobody there can. */
  async inPlaceOf(userId: number, given: Given): Promise<number | null> {
    const absent = await this.held(userId);
    return absent ? this.standInOf(absent, given) : null;
  }

  /** Who takes the tickets of an absent user at the end of the line of stand-ins; null when nobody does. */
  private async standInOf(asked: Agent, given: Given): Promise<number | null> {
    const at = Date.parse(await this.database.moment());
    const seen = new Set([asked.id]);
    let last: number | null = null;
    for (let next = replacementOf(asked, at); next !== null;) {
      if (seen.has(next)) return null;
      if (next === given.without) break;
      const replacement = await this.held(next);
      if (replacement?.status !== 'active') break;
      seen.add(next);
      const after = replacementOf(replacement, at);
      const lacks = lacking(given.skills ?? [], replacement).length > 0;
      if (!lacks && !(await this.full(replacement, given.tickets))) last = next;
      next = after;
    }
    return last;
  }

  private async canTake(user: Agent, { tickets, skills = [] }: Given): Promise<boolean> {
    const at = Date.parse(await this.database.moment());
    return unfitness(user, { skills, at }) === null && !(await this.full(user, tickets));
  }

  /** How full the hands of a user with a limit would be; null when there is room. Their count stands until the commit. */
  private async full(user: Agent, tickets = 1): Promise<{ open: number; max: number } | null> {
    const max = user.max_open_tickets;
    if (max === null || tickets === 0) return null;
    const counted = (): Promise<number> => openTicketsOf(this.database, user.id);
    const open = await this.users.holding(counted, `tickets of user ${user.id}`);
    return open + tickets > max ? { open, max } : null;
  }

  private async held(userId: number): Promise<Agent | undefined> {
    const [user] = await this.database.query<Agent>(
      `SELECT id, status, role, out_of_office, skills, max_open_tickets FROM users WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
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

/** Who stands in for the user at that moment (ms since 1970); null when the user is there, or named nobody. */
function replacementOf(user: Agent, at: number): number | null {
  return isAbsent(user, at) ? (user.out_of_office?.replacement_user_id ?? null) : null;
}
