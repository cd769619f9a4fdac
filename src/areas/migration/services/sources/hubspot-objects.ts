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
  object: 'companies' | 'contacts' | 'tickets';
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
      if (reading.since !== null) return searched(kind, properties, reading.since, null);
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

/** Ten thousand are found at most, so each page begins behind the last id. */
function searched(
  { object, changed }: Pick<Kind, 'object' | 'changed'>,
  properties: readonly string[],
  since: string,
  after: string | null,
): ServiceRequest {
  const filters: object[] = [{ propertyName: changed, operator: 'GTE', value: String(epochSeconds(since) * 1_000) }];
  if (after !== null) filters.push({ propertyName: 'hs_object_id', operator: 'GT', value: after });
  const sorts = [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }];
  return {
    method: 'POST',
    path: `/crm/v3/objects/${object}/search`,
    body: { filterGroups: [{ filters }], sorts, properties: [...properties], limit: SIZE },
  };
}

/** What comes behind a page of a list, or of a search. */
export function following(answer: unknown, at: ServiceRequest): Pick<ServicePage, 'next' | 'total'> {
  if (!at.body) return { next: behind(answer, at) };
  const last = idOf(listIn(answer, 'results').at(-1)?.id);
  const total = countIn(objectOf(answer), 'total');
  if (last === null || textIn(within(within(objectOf(answer), 'paging'), 'next'), 'after') === null)
    return { next: null, total };
  const [group = {}] = listIn(at.body, 'filterGroups');
  const filters = [
    ...listIn(group, 'filters').slice(0, 1),
    { propertyName: 'hs_object_id', operator: 'GT', value: last },
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
