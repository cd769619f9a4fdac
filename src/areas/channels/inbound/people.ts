import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ContactsService } from '../../contacts/contacts.service';
import { blockedAddresses, contactByPhone, contactOfId } from '../../contacts/contact-lookup';
import type { Peer } from '../adapters/adapter';
import type { Channel } from '../channel.entity';

/** Somebody outside, as a contact. */
export interface Person {
  id: number;
  company_id: number | null;
  name: string | null;
  /** Null where only a number or a handle is known. */
  email: string | null;
  is_blocked: boolean;
}

/** What is known of somebody who was never heard of. */
interface Newcomer {
  phone: string | null;
  name: string | null;
  /** See `Peer`: whoever has that address already is somebody else for all that is known. */
  claimed: string | null;
}

/** The domain of addresses that stand in for none (RFC 6761): no mail can go there. */
const NOWHERE = 'contact.invalid';

/** Whether an address of a contact only stands in for one that nobody knows. */
export function isStandIn(email: string): boolean {
  return email.endsWith(`@${NOWHERE}`);
}

/**
 * Finds or makes the contact behind an address. Contacts have e-mail addresses (product reference 1.4): who has none that is known gets
 * one that cannot exist, to be replaced once somebody knows it, and is found by what the channel calls them.
 */
@Injectable()
export class People {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactsService,
  ) {}

  /** Inside the unit of work. */
  async personOf(
    channel: Pick<Channel, 'id' | 'type'>,
    { email, phone, handle, claimed, name }: Peer,
  ): Promise<Person> {
    if (email !== undefined) return { ...(await this.contacts.upsertByEmail(email, name, null)), email };
    const kind = phone === undefined ? handleKind(channel) : 'phone';
    const address = phone ?? handle ?? '';
    return (
      (await this.known(kind, address)) ??
      this.introduce(kind, address, { phone: phone ?? null, name, claimed: claimed ?? null })
    );
  }

  /** Whether somebody is blocked; who was never heard of is not. Inside the unit of work. */
  async isBlocked(channel: Pick<Channel, 'id' | 'type'>, { email, phone, handle }: Peer): Promise<boolean> {
    if (email !== undefined) return (await blockedAddresses(this.database, [email])).length > 0;
    const person =
      phone === undefined ? await this.known(handleKind(channel), handle ?? '') : await this.known('phone', phone);
    return person?.is_blocked === true;
  }

  /** What a contact is written to by in a channel; null where that is not known. Inside the unit of work. */
  async addressOf(channel: Pick<Channel, 'id' | 'type'>, contactId: number): Promise<string | null> {
    const kinds = ['phone', handleKind(channel)];
    const [row] = await this.database.query<{ address: string }>(
      `SELECT address FROM channel_identities WHERE workspace_id = $1 AND contact_id = $2 AND kind = ANY($3::text[])
       ORDER BY kind DESC, address LIMIT 1`,
      [currentWorkspaceId(), contactId, kinds],
    );
    return row?.address ?? null;
  }

  private async known(kind: string, address: string): Promise<Person | null> {
    const [row] = await this.database.query<{ contact_id: number }>(
      'SELECT contact_id FROM channel_identities WHERE workspace_id = $1 AND kind = $2 AND address = $3',
      [currentWorkspaceId(), kind, address],
    );
    return row ? this.person(row.contact_id) : null;
  }

  /** Whoever else introduces the same one waits, and then finds them. */
  private async introduce(kind: string, address: string, { phone, name, claimed }: Newcomer): Promise<Person> {
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended($2, $1::bigint))`, [
      currentWorkspaceId(),
      `channel identity ${kind} ${address}`,
    ]);
    const known = await this.known(kind, address);
    if (known) return known;
    const id =
      (phone === null ? null : await contactByPhone(this.database, phone)) ??
      (claimed === null ? null : await this.contacts.addUnlessThere(claimed, name)) ??
      (await this.add(phone, name));
    await this.database.query(
      'INSERT INTO channel_identities (workspace_id, kind, address, contact_id) VALUES ($1, $2, $3, $4)',
      [currentWorkspaceId(), kind, address, id],
    );
    const person = await this.person(id);
    if (!person) throw new Error('A contact went while it was introduced.');
    return person;
  }

  private async add(phone: string | null, name: string | null): Promise<number> {
    const more = phone === null ? {} : { phone };
    return (await this.contacts.addByEmail(`${randomUUID()}@${NOWHERE}`, name ?? phone, null, more)).id;
  }

  /** A contact; null when there is none of that id. Inside the unit of work. */
  async person(id: number): Promise<Person | null> {
    const found = await contactOfId(this.database, id);
    return found && { ...found, email: isStandIn(found.email) ? null : found.email };
  }
}

/** Handles mean the same in all channels of a network, but in each program of a workspace's own. */
function handleKind({ id, type }: Pick<Channel, 'id' | 'type'>): string {
  return type === 'api' || type === 'webchat' ? `${type}:${id}` : type;
}
