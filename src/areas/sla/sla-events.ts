const figures = {
  policy_id: 1,
  metric: 'first_response',
  instance: 1,
  target_minutes: 60,
  due_at: '2026-10-20T08:00:00.000Z',
  at_risk_at: '2026-10-20T07:48:00.000Z',
};

/** What an event says of the clocks that it is about: the figures of the foremost one, and those of each. */
function told(breached_at: string | null, overdue_seconds = 0): Record<string, unknown> {
  const clock = { ...figures, breached_at, overdue_seconds };
  return { sla: { ...clock, clocks: [clock] } };
}

/** What events of service levels hold beside the ticket. */
export const besideClocks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'ticket.sla_breach': told('2026-10-20T08:00:00.000Z', 1),
  'ticket.sla_at_risk': told(null),
  'ticket.sla_met': told(null),
  'ticket.sla_paused': told(null),
  'ticket.sla_resumed': told(null),
};
