import { webAddress } from '../../mapping/web-address';
import { countIn, epochSeconds, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import { pathOf } from '../service-links';
import type { Reading, ServiceEntity, ServicePage, ServiceRecord, ServiceRequest } from '../service-source';

/** Records of a page, and ids that are read at once. */
export const SIZE = 100;
/** Properties of people's own that are asked for. */
const MAX_OWN = 60;

/** What an object has besides its moments, and what of it is a field here. */
export interface Kind {
  object: 'companies' | 'contacts' | 'tickets' | 'deals';
  properties: readonly string[];
  /** The property that says when it was last changed. */
  changed: string;
  to(properties: Said, id: string): Record<string, unknown>;
}

export const COMPANIES: Kind = {
  object: 'companies',
  properties: ['name', 'domain', 'phone', 'website', 'description', 'hubspot_owner_id'],
  changed: 'hs_lastmodifieddate',
  to: ({ name, domain, phone, website, description: notes }) => {
    const url =
      typeof website === 'string' && website !== '' && !/^https?:/i.test(website) ? `https://${website}` : website;
    return { name: name ?? domain, domains: typeof domain === 'string' ? [domain] : null, phone, website: url, notes };
  },
};

export const CONTACTS: Kind = {
  object: 'contacts',
  properties: ['email', 'firstname', 'lastname', 'phone', 'mobilephone', 'jobtitle', 'associatedcompanyid'],
  changed: 'lastmodifieddate',
  to: ({ email, phone, mobilephone: mobile, jobtitle: job_title, associatedcompanyid: company_id, ...names }) => ({
    ...{ email, phone, mobile, job_title, company_id, name: nameOf(names) },
  }),
};

export const TICKETS: Kind = {
  object: 'tickets',
  properties: [
    ...['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage', 'hs_ticket_priority', 'hs_ticket_category'],
    ...['hubspot_owner_id', 'source_type', 'closed_date'],
  ],
  changed: 'hs_lastmodifieddate',
  to: ({
    subject,
    content,
    hs_ticket_priority: priority,
    source_type: channel,
    hubspot_owner_id: assigned_to,
    closed_date,
  }) => ({
    ...{
      subject,
      description: content,
      priority,
      channel,
      assigned_to,
      resolved_at: closed_date,
      closed_at: closed_date,
    },
  }),
};

export function objects(kind: Kind): ServiceEntity {
  return {
    first: async (reading) => {
      const own = (await ownOf(kind, reading)).map(({ name }) => String(name));
      const properties = [...kind.properties, ...own];
      if (reading.since !== null) return searchFor(kind.object, properties, [changedSince(kind, reading.since)]);
      return { path: pathOf(`/crm/v3/objects/${kind.object}`, { limit: SIZE, properties: properties.join(',') }) };
    },
    read: async (answer, at, reading) => ({
      records: await recordsOf(kind, answer, reading),
      ...following(answer, at),
    }),
    count: async (reading) => {
      const found = await reading.ask({
        method: 'POST',
        path: `/crm/v3/objects/${kind.object}/search`,
        body: { limit: 1 },
      });
      return countIn(objectOf(found), 'total');
    },
  };
}

/** What its people made of properties; titles are the labels. */
async function ownOf({ object }: Kind, reading: Reading): Promise<Said[]> {
  const all = listIn(await reading.askOnce({ path: `/crm/v3/properties/${object}` }), 'results');
  return all
    .filter(({ hubspotDefined, name }) => hubspotDefined !== true && typeof name === 'string')
    .slice(0, MAX_OWN);
}

/** Ten thousand are found at most, so each page begins behind the last id. @param filters besides that */
export function searchFor(object: Kind['object'], properties: readonly string[], filters: object[]): ServiceRequest {
  const sorts = [{ propertyName: ID, direction: 'ASCENDING' }];
  return {
    method: 'POST',
    path: `/crm/v3/objects/${object}/search`,
    body: { filterGroups: [{ filters }], sorts, properties: [...properties], limit: SIZE },
  };
}

/** Only what has changed since. */
export function changedSince({ changed }: Pick<Kind, 'changed'>, since: string): object {
  return { propertyName: changed, operator: 'GTE', value: String(epochSeconds(since) * 1_000) };
}

const ID = 'hs_object_id';

/** What comes behind a page of a list, or of a search. */
export function following(answer: unknown, at: ServiceRequest): Pick<ServicePage, 'next' | 'total'> {
  if (!at.body) return { next: behind(answer, at) };
  const last = idOf(listIn(answer, 'results').at(-1)?.id);
  const total = countIn(objectOf(answer), 'total');
  if (last === null || textIn(within(within(objectOf(answer), 'paging'), 'next'), 'after') === null)
    return { next: null, total };
  const [group = {}] = listIn(at.body, 'filterGroups');
  const filters = [
    ...listIn(group, 'filters').filter(({ propertyName }) => propertyName !== ID),
    { propertyName: ID, operator: 'GT', value: last },
  ];
  return { next: { ...at, body: { ...at.body, filterGroups: [{ filters }] } } };
}

export function behind(answer: unknown, { path }: ServiceRequest): ServiceRequest | null {
  const after = textIn(within(within(objectOf(answer), 'paging'), 'next'), 'after');
  if (after === null) return null;
  const url = new URL(path, 'http://page');
  url.searchParams.set('after', after);
  return { path: `${url.pathname}${url.search}` };
}

export async function recordsOf(kind: Kind, answer: unknown, reading: Reading): Promise<ServiceRecord[]> {
  const own = await ownOf(kind, reading);
  return listIn(answer, 'results').flatMap((said): ServiceRecord[] => {
    const [id, properties] = [idOf(said.id), within(said, 'properties')];
    const titled = Object.fromEntries(own.map(({ name, label }) => [String(label), properties[String(name)] ?? null]));
    const moments = { created_at: said.createdAt, updated_at: said.updatedAt };
    return id === null || said.archived === true
      ? []
      : [{ id, fields: { ...kind.to(properties, id), ...moments }, titled, url: webAddress(said.url) ?? undefined }];
  });
}

export function nameOf({ firstname, lastname, firstName, lastName }: Said): string {
  return [firstname ?? firstName, lastname ?? lastName]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}

/** The first record of a kind that each record of another one is associated with (v4), by their ids. */
export async function firstOf(
  from: Kind['object'],
  to: Kind['object'],
  ids: readonly string[],
  reading: Reading,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const body = { inputs: ids.map((id) => ({ id })) };
  const answer = await reading.ask({ method: 'POST', path: `/crm/v4/associations/${from}/${to}/batch/read`, body });
  return new Map(
    listIn(answer, 'results').flatMap((result): [string, string][] => {
      const known = idOf(within(result, 'from').id);
      const [first] = Array.isArray(result.to) ? listIn(result, 'to') : [];
      const id = idOf(first?.toObjectId);
      return known === null || id === null ? [] : [[known, id]];
    }),
  );
}
