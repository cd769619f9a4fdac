import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { MAX_KEYS } from '../../platform/columns/column-validators';
import { asTheyAre } from '../../platform/fields/settle-fields';
import type { SingleResult } from '../../platform/http/results';
import { withRelated } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { MergeFollowers } from '../../platform/resource/merge-followers';
import { linkCount, linksTo, relink } from '../../platform/resource/relink';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { differing } from '../../platform/resource/stored-values';
import { firstCharacters } from '../../platform/text/normalise';
import { Contact, MAX_NOTES } from './contact.entity';
import { contactResource } from './contact.resource';

/** Records that may name the contact that goes: each is changed in the one transaction of the merge. */
const MAX_LINKS = 5_000;

/** What the contact that stays takes over where it says nothing itself. */
const TAKEN = ['name', 'phone', 'mobile', 'job_title', 'company_id', 'language', 'timezone', 'external_id'] as const;

/** Makes one contact of two that are the same person. */
@Injectable()
export class ContactMerge {
  constructor(
    @InjectStore(Contact) private readonly contacts: Store<Contact>,
    private readonly followers: MergeFollowers,
    private readonly database: Database,
  ) {}

  /**
   * Whatever names the one contact names the other from then on; the first one goes. Addresses in tickets stay as they were written.
   *
   * @throws ApiError 404, 412, 422
   */
  merge(id: number, intoId: number, expected: ExpectedVersions): Promise<SingleResult> {
    if (id === intoId) invalid('into_id', 'invalid', 'A contact cannot be merged into itself.');
    return this.contacts.holding(async () => {
      const [from, into] = await this.both(id, intoId, expected);
      const links = await linksTo(this.database, contactResource);
      const count = await linkCount(this.database, links, id, MAX_LINKS + 1);
      if (count > MAX_LINKS)
        invalid('id', 'max', `More than ${MAX_LINKS} records name the contact; merge the other one into it.`, {
          max: MAX_LINKS,
        });
      await this.followers.follow(contactResource.name, id, intoId);
      await relink(this.database, links, id, intoId);
      await this.contacts.remove(id);
      const merged = { id, email: from.email, name: from.name };
      const values = differing(contactResource, into, takenOver(from, into));
      const types = [...(Object.keys(values).length > 0 ? ['contact.updated'] : []), 'contact.merged'];
      await this.contacts.apply(into, { values, events: withRelated(types, { merged }), always: true });
      return this.contacts.read(intoId);
    });
  }

  /** Both of them, locked in the order of their ids. */
  private async both(id: number, intoId: number, expected: ExpectedVersions): Promise<[Row<Contact>, Row<Contact>]> {
    // A contact that is not there is told of before the other one.
    if (!(await this.contacts.find(id))) await this.contacts.lock(id);
    const from = id < intoId ? await this.contacts.lock(id, expected) : null;
    const into = await this.contacts.lockIfAny(intoId);
    if (!into) invalid('into_id', 'not_found', '"into_id" names a contact that does not exist.');
    const first = from ?? (await this.contacts.lock(id, expected));
    if (first.erased_at !== null) invalid('id', 'erased', 'The contact was erased.');
    if (into.erased_at !== null) invalid('into_id', 'erased', '"into_id" names a contact that was erased.');
    return [first, into];
  }
}

/** Pure. What is more than a contact holds is that of the one that goes. */
function takenOver(from: Row<Contact>, into: Row<Contact>): Values<Contact> {
  const taken = Object.fromEntries(TAKEN.map((name) => [name, into[name] ?? from[name]]));
  const more = Object.entries(from.custom_fields).filter(([key]) => !Object.hasOwn(into.custom_fields, key));
  const fields = [...Object.entries(into.custom_fields), ...more].slice(0, MAX_KEYS);
  const notes = [into.notes, from.notes].filter((each) => each !== null).join('\n\n');
  const tags = [...new Set([into.tags, from.tags].flatMap((list) => list.split(',')))].filter((tag) => tag !== '');
  return {
    ...taken,
    is_vip: into.is_vip || from.is_vip,
    notes: firstCharacters(notes, MAX_NOTES) || null,
    tags: tags.slice(0, 50).join(','),
    custom_fields: asTheyAre(Object.fromEntries(fields)),
  };
}
