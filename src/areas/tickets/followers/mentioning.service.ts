import { Injectable } from '@nestjs/common';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { namedUsers } from '../../users/user-lookup';
import { MAX_MENTIONS, mentionsIn } from './mentions';

/** Finds the users whom notes name. */
@Injectable()
export class Mentioning {
  constructor(private readonly database: Database) {}

  /** Ids of the active users whom an internal note names, without its author; none for what the requester reads. Inside a unit of work. */
  async of(note: { body: string; is_internal?: boolean }): Promise<number[]> {
    if (!note.is_internal) return [];
    const named = mentionsIn(note.body);
    if (Object.values(named).every((names: readonly unknown[]) => names.length === 0)) return [];
    const ids = await namedUsers(this.database, named);
    const own = current().principal?.userId ?? null;
    return ids.filter((id) => id !== own).slice(0, MAX_MENTIONS);
  }
}
