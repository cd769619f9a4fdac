import fc from 'fast-check';
import { type Candidate, OBSTACLES, PRESENCES, ranking, SHARING, type Sought } from '../../src/areas/users/candidates';
import type { Schedule } from '../../src/platform/calendar/schedule';
import { workingTime } from '../../src/platform/calendar/working-time';

/** A Wednesday, 10:00 UTC. */
const AT = Date.parse('2026-07-15T10:00:00.000Z');
const at = (hours: number): string => new Date(AT + hours * 3_600_000).toISOString();

const hours = (start: string, end: string): Schedule => ({
  mode: 'business_hours',
  timezone: 'UTC',
  weekly: { wed: [[start, end]] },
});

const skills = fc.subarray(['billing', 'vpn', 'networking']);

const candidate: fc.Arbitrary<Omit<Candidate, 'id'>> = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'suspended', 'invited'),
  role: fc.constantFrom('agent', 'owner', 'supervisor', 'light_agent'),
  out_of_office: fc.constantFrom(
    null,
    null,
    { from: at(-1) },
    { from: at(-2), to: at(-1) },
    { from: at(1) },
    { from: at(-1), to: at(0) },
  ),
  skills,
  max_open_tickets: fc.option(fc.integer({ min: 0, max: 4 })),
  availability: fc.constantFrom('online', 'away', 'offline'),
  schedule: fc.constantFrom<Schedule | null>(null, { mode: '24x7' }, hours('08:00', '17:00'), hours('12:00', '17:00')),
  open: fc.integer({ min: 0, max: 5 }),
});

const candidates = fc
  .array(candidate, { maxLength: 12 })
  .map((all) => all.map((each, index) => ({ id: index + 1, ...each })));

const sought: fc.Arbitrary<Sought> = fc.record({
  skills,
  at: fc.constant(AT),
  strategy: fc.constantFrom(...SHARING),
  last: fc.integer({ min: 0, max: 13 }),
  most: fc.option(fc.integer({ min: 1, max: 4 })),
});

const isAway = ({ out_of_office: away }: Candidate): boolean =>
  away?.from !== undefined && Date.parse(away.from) <= AT && (away.to === undefined || Date.parse(away.to) > AT);

const isOutside = ({ schedule }: Candidate): boolean => schedule !== null && !workingTime(schedule).isOpen(AT);

describe('the order in which people are asked', () => {
  it('has everybody once: in the order, or passed over for a reason that holds', () => {
    fc.assert(
      fc.property(candidates, sought, (all, asked) => {
        const { ranked, passedOver } = ranking(all, asked);
        const ids = [...ranked, ...passedOver].map(({ id }) => id).sort((a, b) => a - b);
        expect(ids).toEqual(all.map(({ id }) => id));
        for (const { id, obstacle } of passedOver) {
          const who = all[id - 1];
          if (!who) throw new Error('Nobody else is passed over.');
          const holds = {
            not_active: who.status !== 'active',
            light_agent: who.role === 'light_agent',
            out_of_office: isAway(who),
            lacks_skills: asked.skills.some((skill) => !who.skills.includes(skill)),
            no_room: who.open >= Math.min(who.max_open_tickets ?? Infinity, asked.most ?? Infinity),
          };
          expect([obstacle, holds[obstacle]]).toEqual([obstacle, true]);
          expect(OBSTACLES).toContain(obstacle);
        }
      }),
    );
  });

  it('never has who is not active, reads along, is away, has no room or lacks a skill', () => {
    fc.assert(
      fc.property(candidates, sought, (all, asked) => {
        for (const { id } of ranking(all, asked).ranked) {
          const who = all[id - 1];
          expect(who).toMatchObject({ status: 'active' });
          if (!who) return;
          expect([who.role === 'light_agent', isAway(who)]).toEqual([false, false]);
          expect(asked.skills.every((skill) => who.skills.includes(skill))).toBe(true);
          expect(who.open).toBeLessThan(Math.min(who.max_open_tickets ?? Infinity, asked.most ?? Infinity));
        }
      }),
    );
  });

  it('has who is online first and who is outside their hours last; among equals the strategy decides', () => {
    fc.assert(
      fc.property(candidates, sought, (all, asked) => {
        const { ranked } = ranking(all, asked);
        for (const [index, { id, presence }] of ranked.entries()) {
          const [who, next] = [all[id - 1], ranked[index + 1]];
          expect(presence).toBe(who && isOutside(who) ? 'outside_hours' : who?.availability);
          const after = next && all[next.id - 1];
          if (!who || !after) continue;
          expect(PRESENCES.indexOf(presence)).toBeLessThanOrEqual(PRESENCES.indexOf(next.presence));
          if (presence !== next.presence || who.availability !== after.availability) continue;
          if (asked.strategy === 'least_loaded') expect(who.open).toBeLessThanOrEqual(after.open);
          if (asked.strategy === 'least_loaded' && who.open !== after.open) continue;
          // By turns: from whoever was last on, then from the beginning.
          const [mine, theirs] = [id <= asked.last, after.id <= asked.last];
          expect(mine === theirs ? id < after.id : theirs).toBe(true);
        }
      }),
    );
  });

  it('gives everybody alike by turns, whoever there is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 9 }),
        (n, rounds, first) => {
          const all: Candidate[] = Array.from({ length: n }, (_, index) => ({
            id: index + 1,
            status: 'active',
            role: 'agent',
            out_of_office: null,
            skills: [],
            max_open_tickets: null,
            availability: 'offline',
            schedule: null,
            open: 0,
          }));
          const shares = new Map<number, number>();
          let last = first;
          for (let round = 0; round < rounds; round++) {
            last = ranking(all, { skills: [], at: AT, strategy: 'round_robin', last, most: null }).ranked[0]?.id ?? 0;
            shares.set(last, (shares.get(last) ?? 0) + 1);
          }
          const counts = all.map(({ id }) => shares.get(id) ?? 0);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
