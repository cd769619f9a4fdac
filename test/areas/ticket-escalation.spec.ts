import { escalated, MAX_ESCALATION_LEVEL, raisedPriority } from '../../src/areas/tickets/ticket-escalation';
import { TICKET_PRIORITIES, type TicketPriority, type TicketStatus } from '../../src/areas/tickets/ticket-values';
import { ApiError } from '../../src/platform/errors/api-error';
import { thrownBy } from '../support/thrown-by';

const before = (
  status: TicketStatus,
  priority: TicketPriority = 'medium',
  level = 0,
): Parameters<typeof escalated>[0] => ({
  status,
  priority,
  escalation_level: level,
});

describe('an escalation', () => {
  it.each([
    ['low', 'medium'],
    ['medium', 'high'],
    ['high', 'urgent'],
    ['urgent', 'urgent'],
  ] as const)('raises %s to %s', (from, to) => {
    expect(raisedPriority(from)).toBe(to);
    expect(escalated(before('open', from), undefined).priority).toBe(to);
  });

  it.each([
    ['open', 'open'],
    ['in_progress', 'in_progress'],
    ['on_hold', 'open'],
  ] as const)('leaves a ticket that is %s as %s', (from, to) => {
    expect(escalated(before(from), undefined).status).toBe(to);
  });

  it.each(['resolved', 'closed'] as const)('is refused for a ticket that is %s', (status) => {
    const error = thrownBy(() => escalated(before(status), undefined), ApiError);
    expect(error.extras.details?.[0]).toMatchObject({ field: 'status', code: 'invalid_transition', from: status });
  });

  it('climbs one level at a time and stays at the third', () => {
    expect([0, 1, 2, 3].map((level) => escalated(before('open', 'low', level), undefined).escalation_level)).toEqual([
      1, 2, 3, 3,
    ]);
    expect(MAX_ESCALATION_LEVEL).toBe(3);
  });

  it.each(TICKET_PRIORITIES.flatMap((from) => TICKET_PRIORITIES.map((to) => [from, to] as const)))(
    'from %s may ask for %s only if that is not lower',
    (from, to) => {
      const lower = TICKET_PRIORITIES.indexOf(to) < TICKET_PRIORITIES.indexOf(from);
      if (!lower) {
        expect(escalated(before('open', from), to).priority).toBe(to);
        return;
      }
      const error = thrownBy(() => escalated(before('open', from), to), ApiError);
      expect(error.extras.details?.[0]).toMatchObject({ field: 'priority', code: 'min' });
      expect(error.extras.details?.[0]?.allowed).toEqual(TICKET_PRIORITIES.slice(TICKET_PRIORITIES.indexOf(from)));
    },
  );
});
