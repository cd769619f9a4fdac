import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Outbound } from '../../../platform/outbound/outbound';
import type { Group, Person, Snapshot, Unreadable } from '../engine/objects';
import type { PhotoReader } from '../photos/photo-reader';
import { DirectoryUnreadable, type Reading } from '../runs/reading';
import { DeltaGone, GraphClient } from './graph-client';
import type { GraphConfig } from './graph-config';
import {
  GROUP_FIELDS,
  groupOf,
  type GroupPart,
  groupPartOf,
  idOf,
  isRemoved,
  personOf,
  USER_FIELDS,
} from './graph-entry';
import { firstCharacters } from '../../../platform/text/normalise';

const MAX_OBJECTS = 300_000;
const MAX_MEMBERS = 2_000_000;
const MAX_PAGES = 20_000;
const USERS = `/users/delta?$select=${USER_FIELDS}`;
const GROUPS = `/groups/delta?$select=${GROUP_FIELDS}`;

/** What is known of people and groups of a tenant, which changes are added to. */
export interface KnownTenant {
  people: readonly Person[];
  groups: readonly Group[];
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads tenants of Microsoft Entra ID by the delta queries of Microsoft Graph (learn.microsoft.com: "user: delta", "group: delta"):
 * everything the first time, and where the place of the last time is not known any more, else what has changed.
 */
@Injectable()
export class GraphReader {
  constructor(
    private readonly outbound: Outbound,
    @Inject(RUNTIME_CONFIG) private readonly runtime: Pick<RuntimeConfig, 'directoryAllowCidrs'>,
  ) {}

  /** @throws DirectoryUnreadable */
  async read(
    config: GraphConfig,
    mode: Snapshot['mode'],
    cursor: Record<string, unknown> | null,
    known: (guids: readonly string[]) => Promise<KnownTenant>,
  ): Promise<Reading> {
    const client = this.client(config);
    const { users, groups, tenant } = cursor ?? {};
    if (mode === 'delta' && typeof users === 'string' && typeof groups === 'string' && tenant === config.tenant_id) {
      try {
        return await this.readFrom(client, config, { users, groups }, known);
      } catch (error) {
        if (!(error instanceof DeltaGone)) throw error;
      }
    }
    try {
      return await this.readFrom(client, config, null, () => Promise.resolve({ people: [], groups: [] }));
    } catch (error) {
      if (!(error instanceof DeltaGone)) throw error;
      throw new DirectoryUnreadable(
        'busy',
        'Microsoft Graph lost the place while everything was read; the next run begins anew.',
      );
    }
  }

  /** Somebody who was found, or null. @throws DirectoryUnreadable */
  async test(config: GraphConfig): Promise<string | null> {
    const client = this.client(config);
    const { values } = await client.begin('/users?$select=id,displayName&$top=1');
    await client.begin('/groups?$select=id,displayName&$top=1');
    const [first] = values;
    return first && typeof first.displayName === 'string' ? firstCharacters(first.displayName, 255) : null;
  }

  /** Photos of people, one at a time (learn.microsoft.com: "Get profilePhoto"). */
  photos(config: GraphConfig): PhotoReader {
    const client = this.client(config);
    return { of: ({ guid }) => client.photo(guid), end: () => Promise.resolve() };
  }

  private async readFrom(
    client: GraphClient,
    config: GraphConfig,
    from: { users: string; groups: string } | null,
    known: (guids: readonly string[]) => Promise<KnownTenant>,
  ): Promise<Reading> {
    const before = new Map<string, Person>();
    const look = async (entries: readonly Entry[]): Promise<void> => {
      const guids = entries.flatMap((entry) => idOf(entry) ?? []);
      for (const person of (await known(guids)).people) before.set(person.guid, person);
    };
    const people = new Map<string, Person>();
    const removed = new Set<string>();
    const unreadable: Unreadable[] = [];
    const users = await this.walk(client, from?.users ?? null, USERS, look, (entry) => {
      const guid = idOf(entry);
      if (guid === null) unreadable.push({ guid, name: 'Somebody', message: 'Somebody of the answer has no id.' });
      else if (isRemoved(entry)) {
        people.delete(guid);
        removed.add(guid);
      } else {
        // Somebody may come several times; what is deleted may be restored.
        people.set(guid, personOf(guid, entry, people.get(guid) ?? before.get(guid) ?? null));
        removed.delete(guid);
      }
      requireFew(people.size, MAX_OBJECTS);
    });
    const parts = new Map<string, GroupPart[]>();
    let members = 0;
    const nothing = (): Promise<void> => Promise.resolve();
    const groups = await this.walk(client, from?.groups ?? null, GROUPS, nothing, (entry) => {
      const guid = idOf(entry);
      if (guid === null) return;
      if (isRemoved(entry)) {
        parts.delete(guid);
        removed.add(guid);
        return;
      }
      removed.delete(guid);
      const part = groupPartOf(guid, entry);
      members += part.added.length;
      requireFew(members, MAX_MEMBERS);
      const former = parts.get(guid);
      if (former) former.push(part);
      else parts.set(guid, [part]);
      requireFew(parts.size, MAX_OBJECTS);
    });
    const were = new Map((await known([...parts.keys()])).groups.map((group) => [group.guid, group]));
    const found = [...parts].map(([guid, each]) => groupOf(guid, each, were.get(guid) ?? null));
    const read = { people: [...people.values()], groups: found, removed: [...removed], unreadable };
    return {
      snapshot: { mode: from ? 'delta' : 'full', ...read },
      cursor: { tenant: config.tenant_id, users, groups },
    };
  }

  /** Takes every entry of a query, page by page, each page once it was looked at; answers where the next one begins. */
  private async walk(
    client: GraphClient,
    from: string | null,
    path: string,
    look: (entries: readonly Entry[]) => Promise<void>,
    take: (entry: Entry) => void,
  ): Promise<string> {
    let page = from === null ? await client.begin(path) : await client.page(from);
    for (let pages = 1; ; pages++) {
      await look(page.values);
      for (const entry of page.values) take(entry);
      if (page.delta !== null) return page.delta;
      if (page.next === null || pages >= MAX_PAGES)
        throw new DirectoryUnreadable('protocol', 'Microsoft Graph does not come to an end.');
      page = await client.page(page.next);
    }
  }

  private client(config: GraphConfig): GraphClient {
    return new GraphClient(config, this.outbound, this.runtime.directoryAllowCidrs);
  }
}

function requireFew(count: number, max: number): void {
  if (count > max) throw new DirectoryUnreadable('too_many', `More than ${max} people, groups or memberships.`);
}
