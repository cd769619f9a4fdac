import type { TestApp } from './app';
import { type Fields } from './api';
import { make } from './cast';
import { drained } from './jobs';
import type { TestWorkspace } from './workspace';

/** One entry of the log, as far as tests look at it. */
export interface LoggedRun {
  id: number;
  automation_id: number | null;
  automation_name: string;
  ticket_id: number | null;
  event: string;
  event_id: string | null;
  root_event_id: string;
  depth: number;
  status: string;
  reason: string | null;
  conditions: { field: string; actual: unknown; expected: unknown; result: boolean }[];
  actions: {
    type: string;
    status: string;
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
    error: string | null;
  }[];
}

/** An automation; called `Rule` and started by new tickets unless the body says otherwise. */
export function makeRule(workspace: TestWorkspace, body: Record<string, unknown>): Promise<Fields> {
  return make(workspace.api, '/automations', { name: 'Rule', trigger: 'ticket.created', ...body });
}

/** The ticket once everything that followed from what happened is done. */
export async function settledTicket(server: TestApp, workspace: TestWorkspace, id: number): Promise<Fields> {
  await drained(server, workspace);
  return (await workspace.api.get(`/tickets/${id}`)).expect(200).data;
}

/** The log of a ticket or an automation, oldest first. */
export async function runsOf(
  { api }: TestWorkspace,
  of: 'tickets' | 'automations',
  id: number,
  query = '',
): Promise<LoggedRun[]> {
  const path = of === 'tickets' ? `/tickets/${id}/automation-runs` : `/automations/${id}/runs`;
  return (await api.get(`${path}?sort=id&per_page=100${query}`)).expect(200).rows as unknown as LoggedRun[];
}

/** The comments of a ticket, oldest first. */
export async function commentsOf({ api }: TestWorkspace, id: number): Promise<Fields[]> {
  return (await api.get(`/tickets/${id}/comments?sort=created_at`)).expect(200).rows;
}
