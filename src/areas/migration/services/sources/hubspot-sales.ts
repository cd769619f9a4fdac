import { countIn, byId, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import type { Reading, ServiceEntity, ServicePage, ServiceRecord, ServiceRequest } from '../service-source';
import { changedSince, firstOf, following, type Kind, nameOf, objects, recordsOf, searchFor } from './hubspot-objects';

const DEALS: Kind = {
  object: 'deals',
  properties: [
    ...['dealname', 'amount', 'deal_currency_code', 'pipeline', 'dealstage', 'closedate', 'closed_lost_reason'],
    ...['hs_next_step', 'hs_priority', 'hubspot_owner_id', 'description'],
  ],
  changed: 'hs_lastmodifieddate',
  to: ({
    dealname: title,
    amount: value,
    deal_currency_code: currency,
    closed_lost_reason: lost_reason,
    hs_next_step: next_step,
    hs_priority: priority,
    hubspot_owner_id: owner_id,
    description: notes,
  }) => ({ title, value, currency, lost_reason, next_step, priority, owner_id, notes }),
};

/** Contacts on their way to be customers, by their lifecycle stage. */
const STAGES = ['lead', 'marketingqualifiedlead', 'salesqualifiedlead', 'opportunity'] as const;

const LEADS: Kind = {
  object: 'contacts',
  properties: [
    ...['email', 'firstname', 'lastname', 'phone', 'jobtitle', 'company', 'website', 'industry', 'lifecyclestage'],
    ...['hs_lead_status', 'hs_analytics_source', 'hubspot_owner_id', 'associatedcompanyid', 'notes_last_contacted'],
  ],
  changed: 'lastmodifieddate',
  to: ({ jobtitle: job_title, company: company_name, associatedcompanyid: company_id, ...said }, id) => ({
    ...{
      name: nameOf(said) || said.email || said.phone,
      email: said.email,
      phone: said.phone,
      job_title,
      company_name,
    },
    ...{ company_id, contact_id: id, website: said.website, industry: said.industry, owner_id: said.hubspot_owner_id },
    ...{ status: said.hs_lead_status ?? said.lifecyclestage, source: said.hs_analytics_source },
    last_contacted_at: said.notes_last_contacted,
  }),
};

/** Deals, in the pipelines and stages that are called so here; companies and contacts by associations. */
export const DEALS_ENTITY: ServiceEntity = {
  ...objects(DEALS),
  read: dealPage,
  values: { priority: { low: 'low', medium: 'medium', high: 'high' } },
};

/**
 * Leads: contacts whose lifecycle stage says so. The object that HubSpot calls a lead is a task of its sales people about such a contact,
 * in some of its plans alone; it is not read.
 */
export const LEADS_ENTITY: ServiceEntity = {
  first: ({ since }) => searchFor('contacts', LEADS.properties, leadFilters(since)),
  read: async (answer, at, reading) => ({
    records: (await recordsOf(LEADS, answer, reading)).map(({ titled: _own, ...lead }) => lead),
    ...following(answer, at),
  }),
  count: async (reading) => {
    const { body, ...search } = searchFor('contacts', [], leadFilters(null));
    return countIn(objectOf(await reading.ask({ ...search, body: { ...body, limit: 1 } })), 'total');
  },
  values: {
    status: {
      ...{ NEW: 'new', OPEN: 'new', ATTEMPTED_TO_CONTACT: 'contacted', CONNECTED: 'contacted', OPEN_DEAL: 'qualified' },
      ...{ IN_PROGRESS: 'nurturing', BAD_TIMING: 'nurturing', UNQUALIFIED: 'unqualified', lead: 'new' },
      ...{ marketingqualifiedlead: 'nurturing', salesqualifiedlead: 'qualified', opportunity: 'qualified', '*': 'new' },
    },
    source: {
      ...{ ORGANIC_SEARCH: 'website', DIRECT_TRAFFIC: 'website', REFERRALS: 'referral', EMAIL_MARKETING: 'email' },
      ...{ PAID_SEARCH: 'ads', PAID_SOCIAL: 'ads', OFFLINE: 'import', '*': 'other' },
    },
  },
};

function leadFilters(since: string | null): object[] {
  const isLead = { propertyName: 'lifecyclestage', operator: 'IN', values: [...STAGES] };
  return since === null ? [isLead] : [isLead, changedSince(LEADS, since)];
}

async function dealPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const records = await recordsOf(DEALS, answer, reading);
  const raw = byId(listIn(answer, 'results'));
  const ids = records.map(({ id }) => id);
  const pipelines = byId(listIn(await reading.askOnce({ path: '/crm/v3/pipelines/deals' }), 'results'));
  const companies = await firstOf('deals', 'companies', ids, reading);
  const contacts = await firstOf('deals', 'contacts', ids, reading);
  const complete = records.map(({ id, fields, ...record }): ServiceRecord => {
    const properties = within(raw.get(id) ?? {}, 'properties');
    const pipeline = pipelines.get(idOf(properties.pipeline) ?? '') ?? {};
    const stages = byId(Array.isArray(pipeline.stages) ? listIn(pipeline, 'stages') : []);
    const stage = stages.get(idOf(properties.dealstage) ?? '') ?? {};
    const status = statusOf(stage);
    const day = textIn(properties, 'closedate');
    return {
      ...record,
      id,
      fields: {
        ...fields,
        ...{ pipeline_id: textIn(pipeline, 'label'), stage_id: textIn(stage, 'label'), status },
        ...{ company_id: companies.get(id) ?? null, contact_id: contacts.get(id) ?? null },
        closed_at: status === 'open' ? null : day,
        expected_close_date: status === 'open' ? day : null,
      },
    };
  });
  return { records: complete, ...following(answer, at) };
}

/** A stage in which deals are closed says with which probability: 1.0 is won, 0.0 is lost. */
function statusOf(stage: Said): 'open' | 'won' | 'lost' {
  const { isClosed, probability } = within(stage, 'metadata');
  if (String(isClosed) !== 'true') return 'open';
  return Number(probability) > 0.5 ? 'won' : 'lost';
}
