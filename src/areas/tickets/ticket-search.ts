import { emailAddress, type IndexedGroup, SNIPPET_TEXT } from '../../platform/area/search-group';
import { ticketWords } from './ticket-words';

/** Tickets in `GET /search`: by subject and description; by their code and the requester exactly. */
export const ticketSearch: IndexedGroup = {
  type: 'tickets',
  singular: 'ticket',
  path: '/tickets',
  table: 'tickets',
  view: 'ticket_texts_search',
  large: true,
  bits: ticketWords,
  fields: {
    code: { type: 'string', example: 'TCK-000123' },
    status: { type: 'string' },
    priority: { type: 'string' },
    assigned_to: { type: 'integer', format: 'int64', nullable: true },
    company_id: { type: 'integer', format: 'int64', nullable: true },
  },
  columns: {
    title: 't.subject',
    text: `left(t.description, ${SNIPPET_TEXT})`,
    code: 't.code',
    status: 't.status',
    priority: 't.priority',
    assigned_to: 't.assigned_to',
    company_id: 't.company_id',
  },
  exact: (text, bind) => {
    const number = ticketNumber(text);
    if (number !== null) return `SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.number = ${bind(number)}`;
    const email = emailAddress(text);
    if (email === null) return null;
    return `SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.requester_email = ${bind(email)} ORDER BY t.created_at DESC, t.id DESC`;
  },
  words: { texts: 'ticket_texts', newestBy: 'created_at', newest: 300 },
};

const CODE = /^(?:TCK-(\d{6,15})|#?(\d{1,15}))$/i;

/** The ticket number that a search names: `TCK-000123`, `#123` or `123`; null when it names none. */
export function ticketNumber(text: string): number | null {
  const match = CODE.exec(text);
  const number = Number(match?.[1] ?? match?.[2] ?? NaN);
  return number > 0 ? number : null;
}
