import { TICKET_STATUSES, type TicketStatus } from '../../src/areas/tickets/ticket-values';
import { isDone, statusEffects, type StatusFacts } from '../../src/areas/tickets/ticket-status';
import { ApiError } from '../../src/platform/errors/api-error';
import { thrownBy } from '../support/thrown-by';

const now = '2026-10-20T08:00:00.000Z';
const earlier = '2026-10-10T08:00:00.000Z';

function facts(status: TicketStatus): StatusFacts {
  return {
    status,
    first_resolved_at: isDone(status) ? earlier : null,
    resolved_at: isDone(status) ? earlier : null,
    closed_at: status === 'closed' ? earlier : null,
    reopened_count: 2,
  };
}

/** Product reference 2.1, cell by cell: what a change from the row to the column is. */
const matrix: Record<
  TicketStatus,
  Record<TicketStatus, 'none' | 'move' | 'resolve' | 'close' | 'reopen' | 'refuse'>
> = {
  open: { open: 'none', in_progress: 'move', on_hold: 'move', resolved: 'resolve', closed: 'close' },
  in_progress: { open: 'move', in_progress: 'none', on_hold: 'move', resolved: 'resolve', closed: 'close' },
  on_hold: { open: 'move', in_progress: 'move', on_hold: 'none', resolved: 'resolve', closed: 'close' },
  resolved: { open: 'reopen', in_progress: 'reopen', on_hold: 'refuse', resolved: 'none', closed: 'close' },
  closed: { open: 'reopen', in_progress: 'reopen', on_hold: 'refuse', resolved: 'refuse', closed: 'none' },
};

const cells = TICKET_STATUSES.flatMap((from) => TICKET_STATUSES.map((to) => [from, to, matrix[from][to]] as const));

describe('a change of status', () => {
  it.each(cells)('from %s to %s: %s', (from, to, kind) => {
    const change = (): ReturnType<typeof statusEffects> => statusEffects(facts(from), to, now, null);
    if (kind === 'refuse') {
      const error = thrownBy(change, ApiError);
      expect(error.type).toBe('validation_error');
      expect(error.extras.details?.[0]).toMatchObject({
        field: 'status',
        code: 'invalid_transition',
        from,
        to,
        allowed: TICKET_STATUSES.filter((other) => !['none', 'refuse'].includes(matrix[from][other])),
      });
      return;
    }
    const { values, events } = change();
    if (kind === 'none') {
      expect({ values, events }).toEqual({ values: {}, events: [] });
      return;
    }
    expect(values.status).toBe(to);
    const named = { move: [], resolve: ['ticket.resolved'], close: ['ticket.closed'], reopen: ['ticket.reopened'] };
    expect(events).toEqual(['ticket.status_changed', ...named[kind]]);
  });

  it('to resolved stamps both moments of resolution, and only the first one once', () => {
    expect(statusEffects(facts('open'), 'resolved', now, null).values).toMatchObject({
      resolved_at: now,
      first_resolved_at: now,
    });
    const again = { ...facts('open'), first_resolved_at: earlier };
    expect(statusEffects(again, 'resolved', now, null).values).toMatchObject({
      resolved_at: now,
      first_resolved_at: earlier,
    });
  });

  it('to closed stamps closing, and resolution where there was none', () => {
    expect(statusEffects(facts('open'), 'closed', now, null).values).toMatchObject({
      closed_at: now,
      resolved_at: now,
      first_resolved_at: now,
    });
    expect(statusEffects(facts('resolved'), 'closed', now, null).values).toMatchObject({
      closed_at: now,
      resolved_at: earlier,
    });
  });

  it('back to work counts a reopening and forgets resolution and closing', () => {
    const { values } = statusEffects(facts('closed'), 'in_progress', now, null);
    expect(values).toMatchObject({ resolved_at: null, closed_at: null, reopened_count: 3 });
    expect(values).not.toHaveProperty('first_resolved_at');
  });

  it('away from on hold forgets the reason and the date of return', () => {
    const { values } = statusEffects(facts('on_hold'), 'open', now, null);
    expect(values).toMatchObject({ on_hold_reason: null, on_hold_until: null });
  });
});

describe('the reopening window', () => {
  it('is open to its last moment and closed after it', () => {
    const closed = facts('closed');
    expect(statusEffects(closed, 'open', now, 10).values.status).toBe('open');
    const late = thrownBy(() => statusEffects(closed, 'open', '2026-10-20T08:00:00.001Z', 10), ApiError);
    expect(late.extras.details?.[0]).toMatchObject({ field: 'status', code: 'invalid_transition', allowed: [] });
  });

  it('does not bind tickets that are resolved but not closed', () => {
    expect(statusEffects(facts('resolved'), 'open', now, 1).values.status).toBe('open');
  });
});
