import { validate, version } from 'uuid';
import { compactId, freshId } from '../../src/platform/text/fresh-id';

const MANY = 20_000;

it('ids are UUIDs of version 7, each another, in the order they were made in, whatever the clock does', () => {
  const clock = jest.spyOn(Date, 'now');
  const moments = [1_000, 1_000, 999, 0, 5_000, 4_999];
  const ids = Array.from({ length: MANY }, (_, index) => {
    clock.mockReturnValue(1_790_000_000_000 + (moments[index % moments.length] ?? 0));
    return freshId();
  });
  clock.mockRestore();
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(MANY);
  expect([...ids].sort()).toEqual(ids);
});

it('as digits alone they are 32', () => {
  expect(compactId()).toMatch(/^[0-9a-f]{12}7[0-9a-f]{19}$/);
});
