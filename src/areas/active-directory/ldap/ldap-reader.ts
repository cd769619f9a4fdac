import { Inject, Injectable } from '@nestjs/common';
import type { Entry } from 'ldapts';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { vettedAddress } from '../../../platform/mail/mail-host';
import type { Group, Person, Snapshot, Unreadable } from '../engine/objects';
import type { PhotoReader } from '../photos/photo-reader';
import { DirectoryUnreadable, type Reading } from '../runs/reading';
import {
  binaryAttributes,
  groupAttributes,
  groupOf,
  guidOf,
  personAttributes,
  photoAttributes,
  photoOf,
  personOf,
  rangeOf,
  textOf,
} from './ldap-entry';
import type { LdapConfig } from './ldap-config';
import { LdapSession } from './ldap-session';

/** People and groups of one directory. */
const MAX_OBJECTS = 300_000;

/** From where a directory can say what has changed: numbers of one server, as long as that is not restored. */
interface Cursor extends Record<string, unknown> {
  dc: string;
  invocation_id: string;
  usn: string;
}

/** Reads directories that speak LDAP. */
@Injectable()
export class LdapReader {
  constructor(@Inject(RUNTIME_CONFIG) private readonly runtime: Pick<RuntimeConfig, 'directoryAllowCidrs'>) {}

  /** @throws DirectoryUnreadable */
  async read(config: LdapConfig, mode: Snapshot['mode'], before: Record<string, unknown> | null): Promise<Reading> {
    const session = await this.open(config);
    try {
      // Before anything is read: what changes meanwhile is read again next time.
      const cursor = await cursorOf(session);
      const isDelta = mode === 'delta' && cursor !== null && isSame(before, cursor);
      const since = isDelta ? String(before?.usn) : null;
      const unreadable: Unreadable[] = [];
      const people: Person[] = [];
      const groups: Group[] = [];
      const count = (): void => {
        if (people.length + groups.length > MAX_OBJECTS)
          throw new DirectoryUnreadable(
            'too_many',
            `More than ${MAX_OBJECTS} people and groups; narrow the base DN or the filters.`,
          );
      };
      for await (const entry of entriesOf(session, config, config.user_filter, personAttributes(config), since)) {
        take(personOf(entry, config), people, unreadable);
        count();
      }
      for await (const entry of entriesOf(session, config, config.group_filter, groupAttributes(config), since)) {
        const group = groupOf(entry, config);
        const rest = await furtherMembers(session, config, entry);
        take('members' in group ? { ...group, members: [...group.members, ...rest] } : group, groups, unreadable);
        count();
      }
      return { cursor, snapshot: { mode: isDelta ? 'delta' : 'full', people, groups, removed: [], unreadable } };
    } finally {
      await session.end();
    }
  }

  /** Whether it can be read: somebody who was found, or null. @throws DirectoryUnreadable */
  async test(config: LdapConfig): Promise<string | null> {
    const session = await this.open(config);
    try {
      for await (const entry of entriesOf(session, config, config.user_filter, personAttributes(config), null)) {
        const person = personOf(entry, config);
        if ('message' in person) throw new DirectoryUnreadable('guid', person.message);
        return person.display_name;
      }
      return null;
    } finally {
      await session.end();
    }
  }

  /** Photos of people, one at a time. @throws DirectoryUnreadable */
  async photos(config: LdapConfig): Promise<PhotoReader> {
    const session = await this.open(config);
    const names = photoAttributes(config);
    const attributes = [config.attribute_guid, ...names];
    return {
      of: async ({ guid, distinguished_name: dn }) => {
        const entry =
          dn === null ? null : await session.entry(dn, { attributes, explicitBufferAttributes: attributes });
        // Somebody else may be there by now.
        return entry && guidOf(entry, config.attribute_guid) === guid ? photoOf(entry, config) : null;
      },
      end: () => session.end(),
    };
  }

  private async open(config: LdapConfig): Promise<LdapSession> {
    const address = await vettedAddress(config.host, this.runtime.directoryAllowCidrs).catch(() => {
      const message = `${config.host} has no address that may be reached; DIRECTORY_ALLOW_CIDRS opens ranges of a network of one's own.`;
      throw new DirectoryUnreadable('blocked_address', message);
    });
    return LdapSession.open(config, address);
  }
}

function take<T extends object>(object: T | Unreadable, to: T[], unreadable: Unreadable[]): void {
  if ('message' in object) unreadable.push(object);
  else to.push(object);
}

/** @param since number of the last change that is known; null = all entries. Digits alone get into the filter. */
async function* entriesOf(
  session: LdapSession,
  config: LdapConfig,
  filter: string,
  attributes: string[],
  since: string | null,
): AsyncGenerator<Entry> {
  const wanted = since === null ? filter : `(&${filter}(uSNChanged>=${BigInt(since) + 1n}))`;
  const options = { filter: wanted, attributes, explicitBufferAttributes: binaryAttributes(config) };
  for await (const page of session.entries(config.base_dn, options)) yield* page;
}

/** Members that did not come with the group: large groups hand them out in parts. */
async function furtherMembers(session: LdapSession, config: LdapConfig, entry: Entry): Promise<string[]> {
  const { attribute_member: attribute } = config;
  const found: string[] = [];
  for (let range = rangeOf(entry, attribute); range !== null;) {
    found.push(...range.values);
    if (range.next === null) break;
    const further = await session.entry(entry.dn, { attributes: [`${attribute};range=${range.next}-*`] });
    range = further && rangeOf(further, attribute);
  }
  return found;
}

/** How far the server is; null where it does not count changes. */
async function cursorOf(session: LdapSession): Promise<Cursor | null> {
  const root = await session.entry('', { attributes: ['highestCommittedUSN', 'dsServiceName', 'dnsHostName'] });
  const [usn, service, dc] = ['highestCommittedUSN', 'dsServiceName', 'dnsHostName'].map(
    (name) => root && textOf(root, name),
  );
  if (!usn || !service || !dc || !/^\d{1,19}$/.test(usn)) return null;
  const options = { attributes: ['invocationId'], explicitBufferAttributes: ['invocationId'] };
  const settings = await session.entry(service, options);
  const invocation_id = settings && guidOf(settings, 'invocationId');
  return invocation_id ? { dc: dc.toLowerCase(), invocation_id, usn } : null;
}

/** Whether the numbers of before are still those of this server. */
function isSame(before: Record<string, unknown> | null, now: Cursor): boolean {
  return before?.dc === now.dc && before.invocation_id === now.invocation_id && /^\d{1,19}$/.test(String(before.usn));
}
