import { TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { htmlText } from '../../../../platform/mail/html-text';
import { byId, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import type { ComingFile } from '../../run/coming-file';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import { bearer } from '../service-credentials';
import type { Reading, ServicePage, ServiceRecord, ServiceRequest, ServiceSource } from '../service-source';
import {
  behind,
  COMPANIES,
  CONTACTS,
  firstOf,
  following,
  nameOf,
  objects,
  recordsOf,
  SIZE,
  TICKETS,
} from './hubspot-objects';
import { DEALS_ENTITY, LEADS_ENTITY } from './hubspot-sales';

/** Settings of a HubSpot account. */
export class HubspotConfig {
  @TextSetting({
    title: 'Access token',
    description: 'Of a private app that may read companies, contacts, owners, tickets, deals, and e-mails.',
    required: true,
    secret: true,
    min: 1,
    max: 1_000,
  })
  access_token: string;

  @UrlSetting({ title: 'Address', description: 'Of its API.' })
  base_url = 'https://api.hubapi.com';
}

/**
 * HubSpot CRM, v3 objects: lists by `paging.next.after`; what has changed by its search, in the order of ids, so that records that change
 * meanwhile move nothing. People and companies of tickets come by associations (v4), a page at a time; notes and e-mails ticket by
 * ticket. Documentation: developers.hubspot.com/docs/api-reference/crm-tickets-v3/guide, …/crm-contacts-v3, …/crm-companies-v3,
 * …/crm-owners-v3, …/crm-pipelines-v3, …/crm-properties-v3, …/crm-associations-v4, …/crm-notes-v3, …/crm-emails-v3,
 * developers.hubspot.com/docs/api/crm/search.
 */
export const hubspot: ServiceSource = {
  name: 'HubSpot',
  docs_url: 'https://developers.hubspot.com/docs/api-reference/overview',
  config: HubspotConfig,
  headers: ({ access_token }) => bearer(access_token),
  fileHosts: /(^|\.)(hubspot|hubspotusercontent[a-z0-9-]*)\.(com|net)$/,
  locate: async ({ id }, reading) => {
    const said = objectOf(await reading.ask({ path: `/files/v3/files/${encodeURIComponent(id)}/signed-url` }));
    const [url, name, ending] = [textIn(said, 'url'), textIn(said, 'name'), textIn(said, 'extension')];
    const filename = name === null || ending === null || name.endsWith(`.${ending}`) ? name : `${name}.${ending}`;
    return url === null ? null : { url, ...(filename === null ? {} : { filename }) };
  },
  probe: { path: '/crm/v3/owners?limit=1' },
  entities: {
    companies: objects(COMPANIES),
    users: {
      first: () => ({ path: pathOf('/crm/v3/owners', { limit: SIZE }) }),
      read: (answer, at) => ({ records: listIn(answer, 'results').flatMap(userOf), next: behind(answer, at) }),
    },
    contacts: objects(CONTACTS),
    tickets: {
      ...objects(TICKETS),
      read: ticketPage,
      values: {
        status: { ...STAGES(), OPEN: 'open', CLOSED: 'closed', '*': 'in_progress' },
        priority: { LOW: 'low', MEDIUM: 'medium', HIGH: 'high', URGENT: 'urgent' },
        channel: { EMAIL: 'email', PHONE: 'phone', CHAT: 'chat', '*': 'portal' },
      },
    },
    ticket_comments: {
      belowTickets: true,
      first: ({ ticket }) => associated(ticket, 'notes'),
      read: commentPage,
    },
    leads: LEADS_ENTITY,
    deals: DEALS_ENTITY,
  },
};

/** Stages that every account begins with. */
function STAGES(): Record<string, string> {
  return { New: 'open', 'Waiting on contact': 'on_hold', 'Waiting on us': 'in_progress', Closed: 'closed' };
}

function userOf(owner: Said): ServiceRecord[] {
  const id = idOf(owner.id);
  const { email, createdAt: created_at, updatedAt: updated_at } = owner;
  const isHere = id !== null && owner.archived !== true;
  return isHere ? [{ id, fields: { name: nameOf(owner) || email, email, role: 'agent', created_at, updated_at } }] : [];
}

async function ticketPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const records = await recordsOf(TICKETS, answer, reading);
  const raw = byId(listIn(answer, 'results'));
  const ids = records.map(({ id }) => id);
  const stages = await stagesOf(reading);
  const contacts = await firstOf('tickets', 'contacts', ids, reading);
  const companies = await firstOf('tickets', 'companies', ids, reading);
  const people = await batch('contacts', [...new Set(contacts.values())], ['email', 'firstname', 'lastname'], reading);
  const complete = records.map(({ id, fields, titled, url }) => {
    const properties = within(raw.get(id) ?? {}, 'properties');
    const stage = stages.get(idOf(properties.hs_pipeline_stage) ?? '') ?? {};
    const label = textIn(stage, 'label') ?? '';
    const person = people.get(contacts.get(id) ?? '') ?? {};
    const asked = {
      status: Object.hasOwn(STAGES(), label) ? label : (within(stage, 'metadata').ticketState ?? label),
      requester_email: person.email,
      requester_name: nameOf(person),
      company_id: companies.get(id) ?? null,
    };
    const words = { 'HubSpot stage': label, 'HubSpot category': properties.hs_ticket_category ?? null };
    return { id, fields: { ...fields, ...asked }, titled: { ...titled, ...words }, url };
  });
  return { records: complete, ...following(answer, at) };
}

async function stagesOf(reading: Reading): Promise<ReadonlyMap<string, Said>> {
  const pipelines = listIn(await reading.askOnce({ path: '/crm/v3/pipelines/tickets' }), 'results');
  return byId(pipelines.flatMap((pipeline) => (Array.isArray(pipeline.stages) ? listIn(pipeline, 'stages') : [])));
}

/** Properties of records by their ids, a hundred at a time. */
async function batch(
  kind: string,
  ids: readonly string[],
  properties: readonly string[],
  reading: Reading,
): Promise<ReadonlyMap<string, Said>> {
  const found = new Map<string, Said>();
  for (let at = 0; at < ids.length; at += SIZE) {
    const body = { properties, inputs: ids.slice(at, at + SIZE).map((id) => ({ id })) };
    const answer = await reading.ask({ method: 'POST', path: `/crm/v3/objects/${kind}/batch/read`, body });
    for (const [id, said] of byId(listIn(answer, 'results'))) found.set(id, within(said, 'properties'));
  }
  return found;
}

function associated(ticket: string, kind: string): ServiceRequest {
  return { path: pathOf(`/crm/v4/objects/tickets/${encodeURIComponent(ticket)}/associations/${kind}`, { limit: 500 }) };
}

/** Notes are internal; e-mails are what was said. */
async function commentPage(answer: unknown, _at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const idsIn = (list: unknown): string[] =>
    listIn(list, 'results').flatMap(({ toObjectId }) => idOf(toObjectId) ?? []);
  const notes = await batch(
    'notes',
    idsIn(answer),
    ['hs_note_body', 'hs_timestamp', 'hubspot_owner_id', 'hs_attachment_ids'],
    reading,
  );
  const mails = await batch('emails', idsIn(await reading.ask(associated(reading.ticket, 'emails'))), MAIL, reading);
  const people = await reading.people(
    [...notes.values()].flatMap(({ hubspot_owner_id }) => idOf(hubspot_owner_id) ?? []),
  );
  const records = [
    ...[...notes].map(([id, note]) => {
      const author = people.get(idOf(note.hubspot_owner_id) ?? '');
      const fields = {
        author_type: 'agent',
        author_email: author?.email,
        author_name: author?.name,
        is_internal: true,
      };
      return {
        id: `note-${id}`,
        fields: { ...fields, body: htmlText(textIn(note, 'hs_note_body') ?? ''), created_at: note.hs_timestamp },
      };
    }),
    ...[...mails].map(([id, mail]) => {
      const isAsked = mail.hs_email_direction === 'INCOMING_EMAIL';
      const name = [mail.hs_email_from_firstname, mail.hs_email_from_lastname]
        .filter((part) => typeof part === 'string')
        .join(' ');
      const author = {
        author_email: mail.hs_email_from_email,
        author_name: name,
        author_type: isAsked ? 'requester' : 'agent',
      };
      const text = textIn(mail, 'hs_email_text') ?? htmlText(textIn(mail, 'hs_email_html') ?? '');
      return {
        id: `email-${id}`,
        fields: { ...author, is_internal: false, body: text, created_at: mail.hs_timestamp },
      };
    }),
  ];
  return {
    records: records.map(({ id, fields }) => ({ id, fields: { ...fields, ticket_id: reading.ticket } })),
    next: null,
    files: [...filesOf('note', notes), ...filesOf('email', mails)],
  };
}

/** Ids of files stand in one text: `17;18`. */
function filesOf(kind: string, said: ReadonlyMap<string, Said>): ComingFile[] {
  return [...said].flatMap(([id, { hs_attachment_ids: ids }]) => {
    const list = (typeof ids === 'string' ? ids.split(';') : []).map((each) => ({ id: each.trim() }));
    return filesIn(list, 'ticket_comments', `${kind}-${id}`, { filename: 'name', size: 'size' });
  });
}

const MAIL: readonly string[] = [
  ...['hs_email_text', 'hs_email_html', 'hs_email_direction', 'hs_email_from_email', 'hs_email_from_firstname'],
  ...['hs_email_from_lastname', 'hs_timestamp', 'hs_attachment_ids'],
];
