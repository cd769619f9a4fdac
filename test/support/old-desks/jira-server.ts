import type { Asked, FakeService } from './fake-service';
import { AGENTS, COMPANIES, CONTACTS, GROUPS, type OldTicket, PAGE, pageOf, personOf } from './old-desk';

const [EMAIL, TOKEN] = ['admin@here.example', 'jira-token'];
const STATUS = {
  open: { name: 'Triage', statusCategory: { key: 'new', name: 'To Do' } },
  on_hold: { name: 'Waiting for customer', statusCategory: { key: 'indeterminate', name: 'In Progress' } },
  resolved: { name: 'Resolved', statusCategory: { key: 'done', name: 'Done' } },
};

/**
 * Shapes of Jira Cloud: https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issue-search/ (`search/jql`, `nextPageToken`),
 * …/api-group-issue-comments/ (`jsdPublic`), …/api-group-issue-attachments/ (`redirect`), …/api-group-project-components/, …/api-group-user-search/ (assignable), …/api-group-myself/;
 * https://developer.atlassian.com/cloud/jira/service-desk/rest/api-group-organization/ and …/api-group-servicedesk/ (customers),
 * https://developer.atlassian.com/cloud/jira/platform/basic-auth-for-rest-apis/. Addresses of people are hidden unless they show them.
 */
export const jiraServer: FakeService = {
  source: 'jira',
  idOf: (id) => `SUP-${id}`,
  connection: (base) => ({ base_url: base, email: EMAIL, api_token: TOKEN, project_key: 'SUP' }),
  isLetIn: ({ headers }) => headers.authorization === `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`,
  file: ({ path, query }) =>
    query.get('redirect') === 'false' ? /^\/rest\/api\/2\/attachment\/content\/(\d+)$/.exec(path)?.[1] : undefined,
  answer(asked, desk) {
    const [, issue] = /^\/rest\/api\/2\/issue\/SUP-(\d+)$/.exec(asked.path) ?? [];
    if (issue !== undefined) {
      const attachment = desk.files
        .filter(({ ticket }) => ticket === Number(issue))
        .map(({ id, name, content }) => ({
          ...{ id: String(id), filename: name, size: content.length, mimeType: 'text/plain' },
          created: '2019-03-02T09:00:00.000+0000',
        }));
      return { key: `SUP-${issue}`, fields: { attachment } };
    }
    const [, key] = /^\/rest\/api\/2\/issue\/SUP-(\d+)\/comment$/.exec(asked.path) ?? [];
    if (key !== undefined) {
      const all = desk.comments.filter(({ ticket }) => ticket === Number(key));
      const startAt = Number(asked.query.get('startAt'));
      const comments = all.slice(startAt, startAt + PAGE).map(({ id, author, body, isPublic, created_at }) => ({
        ...{ id: String(id), author: accountOf(author), body, jsdPublic: isPublic, created: atlassian(created_at) },
      }));
      return { startAt, maxResults: PAGE, total: all.length, comments };
    }
    switch (asked.path) {
      case '/rest/api/2/myself':
        return { accountId: 'a-1', emailAddress: EMAIL };
      case '/rest/servicedeskapi/organization':
        return deskPage(
          asked,
          COMPANIES.map(({ id, name }) => ({ id: String(id), name })),
        );
      case '/rest/servicedeskapi/servicedesk/SUP/customer':
        return deskPage(
          asked,
          CONTACTS.map(({ id, name, email }) => ({
            accountId: `a-${id}`,
            displayName: name,
            emailAddress: email,
            active: true,
          })),
        );
      case '/rest/api/2/user/assignable/search':
        return pageOf(
          AGENTS.map(({ id, name, email }) => ({
            accountId: `a-${id}`,
            displayName: name,
            emailAddress: email,
            active: true,
          })),
          Number(asked.query.get('startAt')),
        ).page;
      case '/rest/api/2/project/SUP/components':
        return GROUPS.map(({ id, name }) => ({ id: String(id), name }));
      case '/rest/api/2/search/jql': {
        const [, minutes] = /updated >= "-(\d+)m"/.exec(asked.query.get('jql') ?? '') ?? [];
        const since = minutes === undefined ? 0 : Date.now() - Number(minutes) * 60_000;
        const found = desk.tickets.filter(({ updated_at }) => Date.parse(updated_at) >= since);
        const { page, next } = pageOf(found, Number(asked.query.get('nextPageToken') ?? 0));
        const names = { summary: 'Summary', customfield_10002: 'Organizations', customfield_10050: 'Order number' };
        return {
          issues: page.map(issueOf),
          names,
          isLast: next === null,
          ...(next === null ? {} : { nextPageToken: String(next) }),
        };
      }
      default:
        return undefined;
    }
  },
};

const atlassian = (moment: string): string => moment.replace(/(\.\d+)?Z$/, '.000+0000');

function accountOf(id: number): object {
  return { accountId: `a-${id}`, displayName: personOf(id)?.name ?? 'Former user', active: personOf(id) !== undefined };
}

function issueOf({
  id,
  subject,
  description,
  status,
  priority,
  requester,
  assignee,
  company,
  tags,
  order,
  ...dated
}: OldTicket): object {
  return {
    ...{ id: String(10_000 + id), key: `SUP-${id}` },
    fields: {
      ...{
        summary: subject,
        description,
        labels: tags,
        status: STATUS[status],
        components: [{ id: '601', name: 'Hardware' }],
      },
      ...{ priority: { name: priority === 'high' ? 'High' : 'Medium' }, issuetype: { name: '[System] Incident' } },
      ...{ reporter: accountOf(requester), assignee: assignee === null ? null : accountOf(assignee) },
      ...{ created: atlassian(dated.created_at), updated: atlassian(dated.updated_at) },
      resolutiondate: status === 'resolved' ? atlassian(dated.updated_at) : null,
      customfield_10002: [{ id: String(company), name: 'x' }],
      customfield_10050: order,
    },
  };
}

/** Lists of the service desk. */
function deskPage({ query }: Asked, list: readonly object[]): object {
  const start = Number(query.get('start'));
  const { page, next } = pageOf(list, start);
  return { size: page.length, start, limit: PAGE, isLastPage: next === null, values: page };
}
