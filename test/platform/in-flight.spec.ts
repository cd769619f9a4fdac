import fc from 'fast-check';
import { InFlight } from '../../src/platform/http/in-flight';

describe('what is under way', () => {
  it('is what has entered and not left, in as few places as there ever were at one time', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat()), { maxLength: 200 }), (steps) => {
        const flight = new InFlight<{ step: number }>();
        const inside = new Map<number, { step: number }>();
        let most = 0;
        for (const [step, leaving] of steps.entries()) {
          if (leaving === null) {
            const one = { step };
            const place = flight.enter(one);
            expect(inside.has(place)).toBe(false);
            inside.set(place, one);
          } else {
            const place = [...inside.keys()][leaving % Math.max(1, inside.size)] ?? -1;
            flight.leave(place);
            inside.delete(place);
          }
          most = Math.max(most, inside.size);
        }
        expect(new Set(flight)).toEqual(new Set(inside.values()));
        expect(Math.max(-1, ...inside.keys())).toBeLessThan(most);
      }),
    );
  });
});
