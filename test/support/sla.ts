import type { Api, Fields } from './api';
import type { Sql } from './sql';

/** What `GET /tickets/{id}/sla` answers. */
export interface Detail {
  policy: Fields | null;
  schedule: Fields | null;
  sla_status: string;
  next_due_at: string | null;
  clocks: (Fields & { pauses: Fields[] })[];
  history: Fields[];
}

/** The clocks of a ticket. */
export async function detailOf(api: Api, id: number): Promise<Detail> {
  return (await api.get(`/tickets/${id}/sla`)).expect(200).data as unknown as Detail;
}

/** The same minutes for every priority. */
export function targets(first: number, resolution: number, next?: number): object {
  const later = next === undefined ? {} : { next_response_minutes: next };
  const target = { first_response_minutes: first, resolution_minutes: resolution, ...later };
  return { urgent: target, high: target, medium: target, low: target };
}

/** Lets so many minutes pass for the clocks of a ticket: moves everything about them into the past. */
export async function pass(sql: Sql, id: number, minutes: number): Promise<void> {
  const earlier = (column: string): string => `${column} = ${column} - make_interval(mins => $2)`;
  const clock = ['started_at', 'due_at', 'at_risk_at', 'fulfilled_at', 'breached_at', 'next_check_at', 'decided_at'];
  const ticket = ['created_at', 'sla_due_at', 'first_response_due_at', 'next_response_due_at', 'next_sla_due_at'];
  const moment = (name: string): string => `'${name}', (p ->> '${name}')::timestamptz - make_interval(mins => $2)`;
  // All at once: no sweep comes in between.
  await sql.rows(
    `WITH moved AS (UPDATE tickets SET ${[...ticket, 'sla_at_risk_at'].map(earlier).join(', ')} WHERE id = $1 RETURNING id)
     UPDATE sla_clocks SET ${clock.map(earlier).join(', ')}, pauses = (
       SELECT coalesce(jsonb_agg(jsonb_build_object('kind', p ->> 'kind', ${moment('from')}, ${moment('to')}) ORDER BY p ->> 'from'), '[]')
       FROM jsonb_array_elements(pauses) p)
     WHERE ticket_id = (SELECT id FROM moved)`,
    [id, minutes],
  );
}
