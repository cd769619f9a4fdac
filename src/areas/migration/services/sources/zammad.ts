import { TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { htmlText } from '../../../../platform/mail/html-text';
import type { ComingFile } from '../../run/coming-file';
import { idOf, listOf, type Said, textIn, within } from '../said';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import type {
  Reading,
  ServiceEntity,
  ServicePage,
  ServiceRecord,
  ServiceRequest,
  ServiceSource,
} from '../service-source';
import { ServiceTrouble } from '../service-trouble';
import { addressIn } from './freshdesk';

const SIZE = 100;
/** Tickets of a page: each is asked for its first article and its tags. */
const TICKETS = 20;

/** Settings of a Zammad installation. */
export class ZammadConfig {
  @UrlSetting({ title: 'Address', description: '`https://help.acme.example`', required: true })
  base_url: string;

  @TextSetting({
    title: 'Access token',
    description:
      'With `ticket.agent` and `admin.user`, `admin.organization`, `admin.group`; `admin.object` for the titles of fields.',
    required: true,
    secret: true,
    min: 1,
    max: 500,
  })
  token: string;
}

/**
 * Zammad: lists by page number, in the order of ids, until one is empty; articles ticket by ticket. Its lists know no moment of change (its
 * search does, where it has Elasticsearch, up to ten thousand), so what has not changed is passed over here. Documentation:
 * docs.zammad.org/en/latest/api/ (intro, ticket/index, ticket/articles, ticket/tags, user, organization, group, object).
 */
export const zammad: ServiceSource = {
  name: 'Zammad',
  docs_url: 'https://docs.zammad.org/en/latest/api/intro.html',
  config: ZammadConfig,
  headers: ({ token }) => ({ authorization: `Token token=${String(token)}` }),
  locate: ({ id, at }) => ({
    path: `/api/v1/ticket_attachment/${[at.ticket, at.article, id].map((each) => encodeURIComponent(each ?? '')).join('/')}`,
  }),
  probe: { path: '/api/v1/users/me' },
  entities: {
    companies: paged('organizations', SIZE, companyOf),
    users: paged('users', SIZE, (said, id) => (isAgent(said) ? userOf(said, id) : null)),
    contacts: paged('users', SIZE, (said, id) => (isAgent(said) ? null : contactOf(said, id))),
    categories: paged('groups', SIZE, (said, id) => ({
      id,
      fields: dated(said, { name: said.name, description: said.note }),
    })),
    tickets: {
      ...paged('tickets', TICKETS, () => null),
      read: ticketPage,
      values: {
        status: {
          ...{ new: 'open', open: 'open', 'pending reminder': 'on_hold', 'pending close': 'on_hold' },
          ...{ closed: 'closed', merged: 'closed', removed: 'closed', '*': 'in_progress' },
        },
        priority: { '1 low': 'low', '2 normal': 'medium', '3 high': 'high', '*': 'medium' },
        channel: { email: 'email', phone: 'phone', chat: 'chat', sms: 'chat', note: 'internal', '*': 'portal' },
      },
    },
    ticket_comments: {
      belowTickets: true,
      first: ({ ticket }) => articlesOf(ticket),
      read: (answer, _at, reading) => {
        const articles = listOf(answer).sort(byPlace);
        const records = articles.slice(1).flatMap((article) => commentOf(article, reading.ticket));
        return {
          records,
          next: null,
          files: articles.flatMap((article, place) => filesOf(article, place, reading.ticket)),
        };
      },
    },
  },
};

type ToRecord = (said: Said, id: string) => ServiceRecord | null;

/** A list by page number; one that is empty is behind the last. */
function paged(name: string, size: number, to: ToRecord): ServiceEntity {
  return {
    first: () => ({ path: pathOf(`/api/v1/${name}`, { expand: 'true', per_page: size, page: 1 }) }),
    read: (answer, at, { since }) => {
      const list = listOf(answer);
      const records = list
        .filter((said) => isNews(said, since))
        .flatMap((said) => {
          const id = idOf(said.id);
          return (id === null ? null : to(said, id)) ?? [];
        });
      return { records, next: nextPage(list, at) };
    },
  };
}

function nextPage(list: readonly Said[], { path }: ServiceRequest): ServiceRequest | null {
  if (list.length === 0) return null;
  const url = new URL(path, 'http://page');
  url.searchParams.set('page', String(Number(url.searchParams.get('page') ?? 1) + 1));
  return { path: `${url.pathname}${url.search}` };
}

function isNews({ updated_at }: Said, since: string | null): boolean {
  return since === null || typeof updated_at !== 'string' || Date.parse(updated_at) >= Date.parse(since);
}

function dated(said: Said, fields: Record<string, unknown>): Record<string, unknown> {
  return { ...fields, created_at: said.created_at, updated_at: said.updated_at };
}

function companyOf(said: Said, id: string): ServiceRecord {
  const { name, domain, note: notes } = said;
  return { id, fields: dated(said, { name, domains: textIn(said, 'domain') === null ? null : [domain], notes }) };
}

/** Admins alone are no agents, but work there all the same. */
function isAgent({ roles }: Said): boolean {
  return Array.isArray(roles) && (roles.includes('Agent') || roles.includes('Admin'));
}

function nameOf({ firstname, lastname, login }: Said): unknown {
  const parts = [firstname, lastname].filter((part) => typeof part === 'string' && part !== '');
  return parts.length > 0 ? parts.join(' ') : login;
}

function userOf(said: Said, id: string): ServiceRecord | null {
  const { email, phone, active } = said;
  return active === false ? null : { id, fields: dated(said, { name: nameOf(said), email, phone, role: 'agent' }) };
}

function contactOf(said: Said, id: string): ServiceRecord | null {
  // Number one is the system itself.
  if (id === '1') return null;
  const { email, phone, mobile, organization_id: company_id, note: notes, vip: is_vip } = said;
  return { id, fields: dated(said, { name: nameOf(said), email, phone, mobile, company_id, notes, is_vip }) };
}

function articlesOf(ticket: string): ServiceRequest {
  return { path: pathOf(`/api/v1/ticket_articles/by_ticket/${encodeURIComponent(ticket)}`, { expand: 'true' }) };
}

async function ticketPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const list = listOf(answer);
  const news = list.filter((said) => isNews(said, reading.since));
  const titles = news.length > 0 ? await titlesOf(reading) : [];
  const people = await reading.people(news.flatMap(({ customer_id }) => idOf(customer_id) ?? []));
  const records: ServiceRecord[] = [];
  for (const ticket of news) {
    const id = idOf(ticket.id);
    if (id === null) continue;
    const [first = {}] = listOf(await reading.ask(articlesOf(id))).sort(byPlace);
    const tags = await reading.ask({ path: pathOf('/api/v1/tags', { object: 'Ticket', o_id: id }) });
    const customer = people.get(idOf(ticket.customer_id) ?? '');
    const { title: subject, state: status, priority, group_id: category_id, organization_id: company_id } = ticket;
    const fields = dated(ticket, {
      ...{ subject, status, priority, category_id, company_id },
      description: bodyOf(first),
      channel: first.type,
      requester_email: customer?.email ?? addressIn(ticket.customer),
      requester_name: customer?.name,
      // Owner one is nobody.
      assigned_to: ticket.owner_id === 1 ? null : ticket.owner_id,
      closed_at: ticket.close_at,
      tags: listOfTexts(tags),
    });
    const titled = titles.map(({ name, display }): [string, unknown] => [String(display), ticket[String(name)]]);
    records.push({ id, fields, titled: { ...Object.fromEntries(titled), 'Zammad number': ticket.number } });
  }
  return { records, next: nextPage(list, at) };
}

/** Fields of tickets that people made; who may not see them has none. */
async function titlesOf(reading: Reading): Promise<Said[]> {
  try {
    const all = listOf(await reading.askOnce({ path: '/api/v1/object_manager_attributes' }));
    return all.filter(({ object, editable }) => object === 'Ticket' && editable === true);
  } catch (error) {
    if (error instanceof ServiceTrouble && error.kind === 'refused') return [];
    throw error;
  }
}

function listOfTexts(answer: unknown): string[] {
  const [tags] = [typeof answer === 'object' && answer !== null && 'tags' in answer ? answer.tags : []];
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

function byPlace(one: Said, other: Said): number {
  return Number(one.id) - Number(other.id);
}

function bodyOf({ body, content_type }: Said): string {
  if (typeof body !== 'string') return '';
  return content_type === 'text/html' ? htmlText(body) : body;
}

/** Files of the first article are those of its ticket. */
function filesOf({ id, attachments, created_at }: Said, place: number, ticket: string): ComingFile[] {
  const article = idOf(id) ?? '';
  const [of, holder] = place === 0 ? (['tickets', ticket] as const) : (['ticket_comments', article] as const);
  const files = filesIn(attachments, of, holder, { filename: 'filename', size: 'size' }, { ticket, article });
  return files.map((file, index) => {
    const said = Array.isArray(attachments) ? (listOf(attachments)[index] ?? {}) : {};
    const type = textIn(within(said, 'preferences'), 'Content-Type');
    return { ...file, type, created_at: typeof created_at === 'string' ? created_at : null };
  });
}

/** The first article is the description of its ticket. */
function commentOf(article: Said, ticket_id: string): ServiceRecord[] {
  const id = idOf(article.id);
  const isCustomer = article.sender === 'Customer';
  const fields = {
    ticket_id,
    body: bodyOf(article),
    is_internal: article.internal === true,
    author_email: addressIn(article.created_by) ?? addressIn(article.from),
    author_name: textIn(article, 'from')?.replace(/\s*<[^<>]*>\s*$/, ''),
    author_type: isCustomer ? 'requester' : article.sender === 'System' ? 'system' : 'agent',
    created_at: article.created_at,
  };
  return id === null ? [] : [{ id, fields }];
}
