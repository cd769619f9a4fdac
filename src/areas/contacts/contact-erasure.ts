import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { asTheyAre } from '../../platform/fields/settle-fields';
import { absorbedIds, formerValues } from '../../platform/privacy/former-values';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { compactId } from '../../platform/text/fresh-id';
import { contactsWith } from './contact-lookup';
import { Contact } from './contact.entity';
import { contactResource } from './contact.resource';
import { CONTACT_LOSSES } from './contacts.personal';

/** What somebody is, and ever was, known by. */
export interface KnownBy {
  /** Lower-case. */
  emails: string[];
  names: string[];
  phones: string[];
  /** Contacts that were merged into this one. */
  absorbed: number[];
}

const ASKED = ['email', 'name', 'phone', 'mobile'];

/** The part of an erasure that is the contact's own record. */
@Injectable()
export class ContactErasure {
  constructor(
    @InjectStore(Contact) private readonly contacts: Store<Contact>,
    private readonly database: Database,
  ) {}

  /**
   * Takes the person out of the record, which stays, and answers what they were known by; null when that has been done. Its address is
   * free for another contact. Inside a unit of work.
   *
   * @throws ApiError 404, 412
   */
  async take(id: number, expected: ExpectedVersions): Promise<KnownBy | null> {
    const contact = await this.contacts.lock(id, expected);
    if (contact.erased_at !== null) return null;
    const absorbed = await absorbedIds(this.database, contactResource.singular, id);
    const former = await formerValues(this.database, contactResource.singular, [id, ...absorbed], ASKED);
    const of = (name: string, now: string | null): string[] => distinct([now ?? '', ...(former.get(name) ?? [])]);
    const known = {
      emails: distinct(of('email', contact.email).map((email) => email.toLowerCase())),
      names: of('name', contact.name),
      phones: distinct([...of('phone', contact.phone), ...of('mobile', contact.mobile)]),
      absorbed,
    };
    const erased_at = await this.database.moment();
    // What is required of contacts goes, too.
    const custom_fields = asTheyAre({});
    const values = { ...CONTACT_LOSSES, custom_fields, email: await this.addressOf(id), erased_at };
    // An event of what changed would say it all once more.
    await this.contacts.apply(contact, { values, events: [] });
    return known;
  }

  /** What stands for the address of somebody who was erased. Others may have taken the usual one, and keep nobody from going. */
  private async addressOf(id: number): Promise<string> {
    const usual = `erased-${id}@erased.invalid`;
    if (!(await contactsWith(this.database, [usual]))) return usual;
    return `erased-${id}-${compactId()}@erased.invalid`;
  }

  /** Tells that it was done, of the record as it is by then. */
  tell(id: number, erasureId: number): Promise<void> {
    return this.contacts.announce(id, ['contact.erased'], { erasure: { id: erasureId } });
  }

  /** What of it other contacts are known by, too; lower-case. Inside a unit of work. */
  async shared(id: number, { emails, names, phones }: KnownBy): Promise<string[]> {
    const rows = await this.database.query<{ said: string }>(
      `SELECT DISTINCT lower(v.said) AS said FROM contacts c,
         LATERAL (VALUES (c.email), (c.name), (c.phone), (c.mobile)) AS v (said)
       WHERE c.workspace_id = $1 AND c.id <> $2 AND (c.email = ANY($3::text[]) OR lower(c.name) = ANY($4::text[])
         OR c.phone = ANY($5::text[]) OR c.mobile = ANY($5::text[]))`,
      [currentWorkspaceId(), id, emails, names.map((name) => name.toLowerCase()), phones],
    );
    const known = new Set([...emails, ...names, ...phones].map((each) => each.toLowerCase()));
    return rows.map(({ said }) => said).filter((said) => known.has(said));
  }
}

/** Without those that say nothing. */
function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
}
