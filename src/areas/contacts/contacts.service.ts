import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { fail, invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { MailAddresses } from '../../platform/mail/mail-addresses';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { sql } from '../../platform/postgres/statement-batch';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { CompaniesService } from '../companies/companies.service';
import type { CreateContact, UpdateContact } from './contact.dto';
import { Contact } from './contact.entity';
import { contactOfAddress, type Requester } from './contact-lookup';

@Injectable()
export class ContactsService implements OnModuleInit {
  constructor(
    @InjectStore(Contact) private readonly contacts: Store<Contact>,
    private readonly companies: CompaniesService,
    private readonly database: Database,
    private readonly addresses: MailAddresses,
  ) {}

  onModuleInit(): void {
    this.addresses.onLost((address, reason) => this.mailBounced(address, reason));
  }

  /** Without a word about the company it is the active one with the mail domain of the address. */
  create(body: CreateContact): Promise<SingleResult> {
    return this.contacts.create(body, async (values) => {
      if (body.company_id === undefined) values.company_id = await this.companies.find(null, normalised(body.email));
      return undefined;
    });
  }

  /** Another address, or a word, ends that mail to the contact came back. Whoever was erased stays so. */
  update(id: number, body: UpdateContact, expected: ExpectedVersions): Promise<SingleResult> {
    return this.contacts.update(id, body, expected, (before, values) => {
      if (before.erased_at !== null) invalid('id', 'erased', 'The contact was erased and cannot be changed.');
      return this.reachability(before, values);
    });
  }

  /** Creates somebody whom a directory knows, and answers the id. Inside a unit of work. @throws ApiError 422 where somebody has the address */
  async createFrom(body: CreateContact): Promise<number> {
    const { id } = await this.contacts.insert(body, async (values) => {
      values.company_id = await this.companies.find(null, normalised(body.email));
      return undefined;
    });
    return id;
  }

  /** Changes somebody by what a directory says. Inside a unit of work. @returns false for those who are gone, or were erased */
  async changeFrom(id: number, values: Values<Contact>): Promise<boolean> {
    const before = await this.contacts.lockIfAny(id);
    if (!before || before.erased_at !== null) return false;
    if (Object.keys(values).length > 0)
      await this.contacts.apply(before, await this.reachability(before, { ...values }));
    return true;
  }

  /** Mail to the address (lower-case) came back for good. */
  private async mailBounced(email: string, reason: string): Promise<void> {
    const contact = await this.findByEmail(email);
    if (!contact) return;
    const values = {
      mail_status: 'bounced',
      mail_bounced_at: await this.database.moment(),
      mail_bounce_reason: reason,
    } as const;
    await this.contacts.mutate(contact.id, null, () => ({
      values,
      events: ['contact.updated', 'contact.mail_bounced'],
    }));
  }

  /** Somebody wrote from the address (lower-case): it is one. Inside a unit of work. */
  async mailArrives(email: string): Promise<void> {
    const contact = (await this.addresses.reopen(email)) ? await this.findByEmail(email) : null;
    if (contact)
      await this.contacts.mutate(contact.id, null, (before) => this.reachability(before, { mail_status: 'ok' }));
  }

  /** A change with what it says of whether mail reaches the contact. Inside the unit of work. */
  async reachability(before: Row<Contact>, values: Values<Contact>): Promise<Change<Contact>> {
    const email = values.email ?? before.email;
    const status = values.mail_status ?? (email === before.email ? before.mail_status : 'ok');
    if (status === before.mail_status) return { values };
    if (status === 'ok') {
      await this.addresses.reopen(email);
      return { values: { ...values, mail_status: status, mail_bounced_at: null, mail_bounce_reason: null } };
    }
    await this.addresses.shut(email, BY_HAND);
    const now = await this.database.moment();
    return { values: { ...values, mail_bounced_at: now, mail_bounce_reason: BY_HAND } };
  }

  /**
   * The contact with that address, created with name and company when there is none. Runs inside the current unit of
   * work; two at once make one contact. One round trip when the contact exists.
   *
   * @param more further values of a new contact
   */
  async upsertByEmail(
    email: string,
    name: string | null,
    companyId: number | null,
    more: Values<Contact> = {},
  ): Promise<Requester> {
    return (await this.findByEmail(normalised(email))) ?? this.addByEmail(email, name, companyId, more);
  }

  /** The same for an address that no contact had when this unit of work looked. */
  async addByEmail(
    email: string,
    name: string | null,
    companyId: number | null,
    more: Values<Contact> = {},
  ): Promise<Requester> {
    const address = normalised(email);
    const id = await this.contacts.insertUnlessThere({ ...more, email: address, name, company_id: companyId });
    if (id !== null) return { id, company_id: companyId, name, is_blocked: false };
    const winner = await this.findByEmail(address);
    if (!winner) throw new Error('A contact neither exists nor could be created.');
    return winner;
  }

  /**
   * Whoever asks from that address, made a contact when they are none, and the company that they ask for: the one given, where one is
   * or null is, else their contact's, else the active one with the mail domain. Inside the current unit of work.
   */
  async requesterOf(
    email: string,
    name: string | null,
    given: number | null | undefined,
  ): Promise<{ requester: Requester; company_id: number | null }> {
    const address = normalised(email);
    const known = await this.findByEmail(address);
    const own = known?.company_id ?? null;
    const company_id = given === undefined ? (own ?? (await this.companies.find(null, address))) : given;
    return { requester: known ?? (await this.addByEmail(address, name, company_id)), company_id };
  }

  /** Creates a contact; null where somebody has the address. Inside the unit of work. */
  addUnlessThere(email: string, name: string | null): Promise<number | null> {
    return this.contacts.insertUnlessThere({ email: normalised(email), name });
  }

  /** Takes turns, until the end of the transaction, with whoever else is about to create contacts of several of these addresses. */
  async holdAddresses(addresses: readonly string[]): Promise<void> {
    const distinct = new Set(addresses.map(normalised));
    if (distinct.size < 2) return;
    const text = `
      SELECT pg_advisory_xact_lock(key) FROM
        (SELECT DISTINCT hashtextextended('contact ' || address, $1::bigint) AS key FROM unnest($2::text[]) address ORDER BY key) k`;
    await this.database.run([{ text, values: [currentWorkspaceId(), [...distinct]] }]);
  }

  /** How a contact is known; 404 when there is none. */
  known(id: number): Promise<Row<Contact>> {
    return this.database.transaction(
      async () => (await this.contacts.find(id)) ?? fail('not_found', `No contact ${id}.`),
    );
  }

  /** The contact as GET shows it, for answers of other areas that have it in them. */
  async jsonOf(id: number): Promise<string> {
    return (await this.contacts.read(id)).json;
  }

  private async findByEmail(email: string): Promise<Requester | null> {
    const statement = sql<Requester>(contactOfAddress('$2'), [currentWorkspaceId(), email]);
    const [contact] = await this.database.read(statement);
    return contact ?? null;
  }
}

const BY_HAND = 'Set by hand.';

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
