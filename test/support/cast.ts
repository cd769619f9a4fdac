import type { Api, Fields } from './api';

let serial = 0;

/** Creates a ticket; the subject is given unless the body says otherwise. */
export async function makeTicket(api: Api, body: Record<string, unknown> = {}): Promise<Fields> {
  return (await api.post('/tickets', { subject: `Ticket ${++serial}`, ...body })).expect(201).data;
}

/** Creates an active agent. */
export async function makeUser(api: Api, body: Record<string, unknown> = {}): Promise<Fields> {
  const name = `Agent ${++serial}`;
  return (await api.post('/users', { name, email: `agent-${serial}@agents.example`, ...body })).expect(201).data;
}

/** Creates a company, category, team or contact; its name or address is given unless the body says otherwise. */
export async function make(api: Api, path: string, body: Record<string, unknown> = {}): Promise<Fields> {
  const own = path === '/contacts' ? { email: `contact-${++serial}@people.example` } : { name: `Name ${++serial}` };
  return (await api.post(path, { ...own, ...body })).expect(201).data;
}
