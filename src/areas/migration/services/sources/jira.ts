import { EmailSetting, TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { countIn, idOf, listIn, listOf, objectOf, type Said, textIn, within } from '../said';
import type { ComingFile } from '../../run/coming-file';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import { basic } from '../service-credentials';
import type { Reading, ServicePage, ServiceRecord, ServiceRequest, ServiceSource, Settings } from '../service-source';

const SIZE = 50;

/** Statuses of its own workflows, and the names of the three categories that every status is in. */
const STATUSES: Readonly<Record<string, string>> = {
  ...{
    'To Do': 'open',
    Open: 'open',
    Reopened: 'open',
    'Waiting for support': 'in_progress',
    'In Progress': 'in_progress',
  },
  ...{ 'Work in progress': 'in_progress', Escalated: 'in_progress', 'Under investigation': 'in_progress' },
  ...{ 'Waiting for customer': 'on_hold', Pending: 'on_hold', 'Waiting for approval': 'on_hold', 'On hold': 'on_hold' },
  ...{
    Done: 'resolved',
    Resolved: 'resolved',
    Completed: 'resolved',
    Closed: 'closed',
    Canceled: 'closed',
    Declined: 'closed',
  },
};

/** Settings of a Jira Service Management project. */
export class JiraConfig {
  @UrlSetting({ title: 'Address', description: '`https://acme.atlassian.net`', required: true })
  base_url: string;

  @EmailSetting({
    title: 'Who asks',
    description: 'The account of the API token; an agent of the project.',
    required: true,
  })
  email: string;

  @TextSetting({ title: 'API token', required: true, secret: true, min: 1, max: 1_000 })
  api_token: string;

  @TextSetting({
    title: 'Project',
    description: 'Its key: `SUP`.',
    required: true,
    min: 1,
    max: 50,
    pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
  })
  project_key: string;
}

/**
 * Jira Service Management (cloud), one project of it: requests are issues, found by JQL with `nextPageToken`; comments issue by issue,
 * internal where `jsdPublic` is false. Texts are those of version 2, which are wiki markup and no documents. Documentation:
 * developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issue-search, …-issue-comments, …-project-components, …-user-search;
 * developer.atlassian.com/cloud/jira/service-desk/rest/api-group-organization, …-servicedesk (customers).
 */
export const jira: ServiceSource = {
  name: 'Jira Service Management',
  docs_url: 'https://developer.atlassian.com/cloud/jira/service-desk/rest/',
  config: JiraConfig,
  headers: ({ email, api_token }) => ({
    ...basic(email, api_token),
    // Customers and organizations of a service desk are asked for with it.
    'x-experimentalapi': 'opt-in',
  }),
  // With `redirect=false` the file itself is answered, and no address at another host.
  locate: ({ id }) => ({ path: `/rest/api/2/attachment/content/${encodeURIComponent(id)}?redirect=false` }),
  probe: { path: '/rest/api/2/myself' },
  entities: {
    companies: {
      first: () => ({ path: pathOf('/rest/servicedeskapi/organization', { start: 0, limit: SIZE }) }),
      read: (answer, at) => deskPage(answer, at, ({ name }, id) => ({ id, fields: { name } })),
    },
    users: {
      first: ({ settings }) => ({ path: assignable(settings, 0) }),
      read: (answer, at) => {
        const list = listOf(answer);
        const next = list.length === 0 ? null : moved(at, 'startAt', list.length);
        return {
          records: list.flatMap((user) => (user.active === false ? [] : personOf(user, { role: 'agent' }))),
          next,
        };
      },
    },
    contacts: {
      first: ({ settings }) => ({
        path: pathOf(`/rest/servicedeskapi/servicedesk/${projectOf(settings)}/customer`, { start: 0, limit: SIZE }),
      }),
      read: (answer, at) => deskPage(answer, at, (user) => personOf(user, {})[0] ?? null),
    },
    categories: {
      first: ({ settings }) => ({ path: `/rest/api/2/project/${projectOf(settings)}/components` }),
      read: (answer) => ({
        records: listOf(answer).flatMap(({ id, name, description }) => {
          const known = idOf(id);
          return known === null ? [] : [{ id: known, fields: { name, description } }];
        }),
        next: null,
      }),
    },
    tickets: {
      first: ({ settings, since }) => ({ path: found(settings, since, null) }),
      read: ticketPage,
      values: {
        status: { ...STATUSES, '*': 'in_progress' },
        priority: { Highest: 'urgent', High: 'high', Medium: 'medium', Low: 'low', Lowest: 'low', '*': 'medium' },
        type: {
          ...{
            Incident: 'incident',
            '[System] Incident': 'incident',
            Problem: 'problem',
            '[System] Problem': 'problem',
          },
          ...{
            Question: 'question',
            Task: 'task',
            'Service Request': 'request',
            '[System] Service request': 'request',
            '*': null,
          },
        },
      },
    },
    ticket_comments: {
      belowTickets: true,
      first: ({ ticket }) => ({
        path: pathOf(`/rest/api/2/issue/${encodeURIComponent(ticket)}/comment`, {
          startAt: 0,
          maxResults: 100,
          orderBy: 'created',
        }),
      }),
      read: commentPage,
    },
  },
};

const projectOf = ({ project_key }: Settings): string => encodeURIComponent(String(project_key));

function assignable(settings: Settings, startAt: number): string {
  return pathOf('/rest/api/2/user/assignable/search', {
    project: String(settings.project_key),
    startAt,
    maxResults: SIZE,
  });
}

/** Moments of JQL are those of the time zone of who asks; minutes ago are everybody's. */
function found({ project_key }: Settings, since: string | null, nextPageToken: string | null): string {
  const minutes = since === null ? null : Math.max(1, Math.ceil((Date.now() - Date.parse(since)) / 60_000));
  const changed = minutes === null ? '' : ` AND updated >= "-${minutes}m"`;
  const jql = `project = "${String(project_key)}"${changed} ORDER BY created ASC`;
  return pathOf('/rest/api/2/search/jql', { jql, fields: '*all', expand: 'names', maxResults: SIZE, nextPageToken });
}

/** The same request further on. */
function moved({ path }: ServiceRequest, name: string, by: number): ServiceRequest {
  const url = new URL(path, 'http://page');
  url.searchParams.set(name, String(Number(url.searchParams.get(name) ?? 0) + by));
  return { path: `${url.pathname}${url.search}` };
}

/** Lists of the service desk: `values` until `isLastPage`. */
function deskPage(
  answer: unknown,
  at: ServiceRequest,
  to: (said: Said, id: string) => ServiceRecord | null,
): ServicePage {
  const list = listIn(answer, 'values');
  const records = list.flatMap((said) => {
    const id = idOf(said.id ?? said.accountId);
    return (id === null ? null : to(said, id)) ?? [];
  });
  const isOver = objectOf(answer).isLastPage !== false || list.length === 0;
  return { records, next: isOver ? null : moved(at, 'start', list.length) };
}

function personOf(user: Said, more: object): ServiceRecord[] {
  const id = idOf(user.accountId);
  return id === null ? [] : [{ id, fields: { name: user.displayName, email: user.emailAddress, ...more } }];
}

async function ticketPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const issues = listIn(answer, 'issues');
  const names = within(objectOf(answer), 'names');
  const asked = issues.flatMap((issue) => idOf(within(within(issue, 'fields'), 'reporter').accountId) ?? []);
  const people = await reading.people(asked);
  const records = issues.flatMap((issue): ServiceRecord[] => {
    const id = idOf(issue.key);
    const said = within(issue, 'fields');
    const own = Object.entries(names).flatMap(([name, title]): [string, Said[string]][] =>
      name.startsWith('customfield_') && typeof title === 'string' ? [[title, said[name]]] : [],
    );
    const reporter = within(said, 'reporter');
    const known = people.get(idOf(reporter.accountId) ?? '');
    const [organization] = own.flatMap(([title, value]) =>
      title === 'Organizations' && Array.isArray(value) ? listIn({ value }, 'value') : [],
    );
    const [component] = Array.isArray(said.components) ? listIn(said, 'components') : [];
    const {
      summary: subject,
      description,
      labels: tags,
      created: created_at,
      updated: updated_at,
      resolutiondate: resolved_at,
    } = said;
    const fields = {
      ...{ subject, description, tags, created_at, updated_at, resolved_at },
      status: statusOf(within(said, 'status')),
      priority: within(said, 'priority').name,
      type: within(said, 'issuetype').name,
      requester_email: reporter.emailAddress ?? known?.email,
      requester_name: reporter.displayName,
      assigned_to: within(said, 'assignee').accountId,
      category_id: component?.id,
      company_id: organization?.id,
      parent_id: within(said, 'parent').key,
    };
    const titled = Object.fromEntries(own.map(([title, value]) => [title, plain(value)]));
    return id === null ? [] : [{ id, fields, titled: { ...titled, 'Jira status': within(said, 'status').name } }];
  });
  const token = textIn(objectOf(answer), 'nextPageToken');
  const isOver = objectOf(answer).isLast === true || token === null;
  return { records, next: isOver ? null : withToken(at, token) };
}

function withToken({ path }: ServiceRequest, token: string): ServiceRequest {
  const url = new URL(path, 'http://page');
  url.searchParams.set('nextPageToken', token);
  return { path: `${url.pathname}${url.search}` };
}

/** The name of a status that Jira brings along, else that of its category: workflows have names of their own, kept in `Jira status`. */
function statusOf(status: Said): unknown {
  const name = textIn(status, 'name') ?? '';
  return Object.hasOwn(STATUSES, name) ? name : (within(status, 'statusCategory').name ?? name);
}

/** What a choice, a person or a list of them says in a word. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).join(', ') || null;
  if (typeof value !== 'object' || value === null) return value;
  const said = objectOf(value);
  return said.value ?? said.name ?? said.displayName ?? JSON.stringify(value).slice(0, 1_000);
}

async function commentPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const list = listIn(answer, 'comments');
  const people = await reading.people(list.flatMap((comment) => idOf(within(comment, 'author').accountId) ?? []));
  const records = list.flatMap((comment): ServiceRecord[] => {
    const id = idOf(comment.id);
    const author = within(comment, 'author');
    const known = people.get(idOf(author.accountId) ?? '');
    const fields = {
      ticket_id: reading.ticket,
      body: comment.body,
      is_internal: comment.jsdPublic === false,
      author_email: author.emailAddress ?? known?.email,
      author_name: author.displayName,
      author_type: known && !known.isAgent ? 'requester' : 'agent',
      created_at: comment.created,
    };
    return id === null ? [] : [{ id, fields }];
  });
  const from = Number(new URL(at.path, 'http://page').searchParams.get('startAt') ?? 0);
  const total = countIn(objectOf(answer), 'total') ?? 0;
  const next = list.length === 0 || from + list.length >= total ? null : moved(at, 'startAt', list.length);
  return { records, next, files: reading.withFiles ? await filesOf(list, next === null, reading) : [] };
}

const FILE_NAMES = { filename: 'filename', type: 'mimeType', size: 'size', created_at: 'created' };

/** Files are those of the issue; one that a comment names in its text (`!jam.png!`, `[^log.txt]`) is that of the comment. */
async function filesOf(
  comments: readonly Said[],
  isLast: boolean,
  { ticket, askOnce }: Reading,
): Promise<ComingFile[]> {
  const path = pathOf(`/rest/api/2/issue/${encodeURIComponent(ticket)}`, { fields: 'attachment' });
  const list = within(objectOf(await askOnce({ path })), 'fields').attachment;
  return filesIn(list, 'tickets', ticket, FILE_NAMES).flatMap((file): ComingFile[] => {
    const marks = [`[^${file.filename}]`, `[^${file.filename}|`, `!${file.filename}!`, `!${file.filename}|`];
    const comment = comments.find(({ body }) => typeof body === 'string' && marks.some((mark) => body.includes(mark)));
    const holder = idOf(comment?.id);
    if (holder !== null) return [{ ...file, of: 'ticket_comments', holder, is_inline: true }];
    // Those that no comment has named by the end; a file is noted once.
    return isLast ? [file] : [];
  });
}
