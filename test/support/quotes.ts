import type { Answer, Fields } from './api';
import type { TestApp } from './app';
import { eventsOf } from './event-log';
import { makeWorkspace, type TestWorkspace } from './workspace';

/** An item like any other. */
export const ITEM = { name: 'Laser printer', quantity: 3, unit_price: 249.9, tax_rate: 19 };

/** What tests of quotes do again and again, in a workspace of a file's own. */
export class QuoteDesk {
  workspace: TestWorkspace;

  constructor(readonly server: TestApp) {}

  /** A draft that could be sent, unless the body says otherwise. */
  async draft(body: Record<string, unknown> = {}): Promise<Fields> {
    const whole = { title: 'Printers', currency: 'EUR', recipient_email: 'paul@acme.example', items: [ITEM], ...body };
    return (await this.workspace.api.post('/quotes', whole)).expect(201).data;
  }

  async get(id: number, query = ''): Promise<Fields> {
    return (await this.workspace.api.get(`/quotes/${id}${query}`)).expect(200).data;
  }

  status(id: number, body: Record<string, unknown>, headers = {}): Promise<Answer> {
    return this.workspace.api.post(`/quotes/${id}/status`, body, headers);
  }

  /** Takes a quote through statuses, one after the other. */
  async to(id: number, ...statuses: string[]): Promise<Fields> {
    let last: Fields = { id };
    for (const status of statuses) last = (await this.status(id, { status, ...reason(status) })).expect(200).data;
    return last;
  }

  async logOf(id: number): Promise<Fields[]> {
    return (await this.workspace.api.get(`/quotes/${id}/events?sort=id`)).expect(200).rows;
  }

  /** Types of the events about a quote, oldest first. */
  async typesOf(id: number): Promise<string[]> {
    return (await eventsOf(this.server, this.workspace, 'quote', id)).map(({ type }) => type);
  }
}

/** A desk in a workspace of its own, for the tests of a file. */
export function useQuoteDesk(server: TestApp): QuoteDesk {
  const desk = new QuoteDesk(server);
  beforeAll(async () => {
    desk.workspace = await makeWorkspace(server);
  });
  return desk;
}

/** What a change to that status needs besides. */
export function reason(status: string): Record<string, string> {
  return status === 'rejected' ? { reason: 'No' } : {};
}
