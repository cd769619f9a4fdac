import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { textsOf } from '../../../platform/resource/record-texts';
import type { MigrationOptions } from '../mapping/mapping.dto';
import { RecordBook } from '../run/record-book';
import type { Person } from './service-source';

/** Who came in with migrations: services that name people by ids alone mean these. */
@Injectable()
export class ServicePeople {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
  ) {}

  /** @param ids of the service; agents before customers, where an id is that of both */
  of(ids: readonly string[], { namespace }: MigrationOptions): Promise<ReadonlyMap<string, Person>> {
    const named = new Map(ids.map((id) => [namespace === undefined ? id : `${namespace}:${id}`, id]));
    const found = new Map<string, Person>();
    if (named.size === 0) return Promise.resolve(found);
    return this.database.transaction(async () => {
      for (const resource of ['contacts', 'users']) {
        const linked = await this.book.linked(resource, [...named.keys()]);
        const emails = await textsOf(this.database, resource, 'email', [...linked.values()]);
        const names = await textsOf(this.database, resource, 'name', [...linked.values()]);
        for (const [said, local] of linked) {
          const [id, email] = [named.get(said), emails.get(local)];
          if (id !== undefined && email !== undefined)
            found.set(id, { email, name: names.get(local) ?? null, isAgent: resource === 'users' });
        }
      }
      return found;
    });
  }
}
