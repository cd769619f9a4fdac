import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { PlainTakeover } from '../../platform/resource/plain-takeover';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type Beside, Takeovers, type Told } from '../../platform/resource/takeover';
import { ContactsService } from './contacts.service';
import { Contact } from './contact.entity';

/** Contacts by their addresses, and those that came about just now. */
export interface ContactsOf {
  known: ReadonlyMap<string, Pick<Contact, 'id' | 'company_id'>>;
  made: Beside[];
}

/** Contacts keep what is known of their addresses; who was erased stays so. */
class People extends PlainTakeover<Contact> {
  constructor(
    records: Store<Contact>,
    database: Database,
    private readonly service: ContactsService,
  ) {
    super(records, database, { place: 30, keys: ['email'] });
  }

  protected override stays({ erased_at }: Row<Contact>): string | null {
    return erased_at === null ? null : 'the person was erased';
  }

  protected override async revision(before: Row<Contact>, values: Values<Contact>): Promise<Values<Contact>> {
    return (await this.service.reachability(before, values)).values;
  }
}

/** How contacts come in from another system: by themselves, or with what they wrote. */
@Injectable()
export class ContactTakeover implements OnModuleInit {
  private readonly plain: PlainTakeover<Contact>;

  constructor(
    @InjectStore(Contact) contacts: Store<Contact>,
    @InjectWorkspaceRepository(Contact) private readonly stored: WorkspaceRepository<Contact>,
    database: Database,
    private readonly service: ContactsService,
    private readonly takeovers: Takeovers,
  ) {
    this.plain = new People(contacts, database, service);
  }

  onModuleInit(): void {
    this.takeovers.register(this.plain);
  }

  /**
   * The contacts with these addresses (lower-case), made where there are none. Inside the unit of work.
   *
   * @param people what the ticket says of who asks, by address; the first moment counts
   */
  async ofAddresses(
    people: ReadonlyMap<string, { name: string | null; created_at: string }>,
    told: Told,
  ): Promise<ContactsOf> {
    const emails = [...people.keys()].sort();
    if (emails.length === 0) return { known: new Map(), made: [] };
    // Whoever makes contacts of the same addresses at once takes turns.
    await this.service.holdAddresses(emails);
    const known = await this.find(emails);
    const missing = emails.filter((email) => !known.has(email));
    const { ids } = await this.plain.store(
      missing.map((email) => ({ email, ...people.get(email) })),
      told,
    );
    const made = missing.map((email, index) => ({ resource: 'contacts', id: ids[index] ?? 0, key: email }));
    for (const { id, key } of made) known.set(key, { id, company_id: null });
    return { known, made };
  }

  private async find(emails: readonly string[]): Promise<Map<string, Pick<Contact, 'id' | 'company_id'>>> {
    const select = { id: true, email: true, company_id: true } as const;
    const rows = await this.stored.find({ select, where: { email: In([...emails]) } });
    return new Map(rows.map(({ email, ...contact }) => [email, contact]));
  }
}
