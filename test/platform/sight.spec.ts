import { currentSight } from '../../src/platform/context/demand';
import { andSeen, filled, seenRows } from '../../src/platform/resource/read/sight';
import { allResources } from '../../src/platform/resource/resource';
import { allOperations } from '../support/operations';

/** Records that somebody can keep to themselves; of all others, callers without limits see all. */
const SHARED = ['views', 'canned_responses', 'macros'];

it('who sees everything is asked nothing: no condition stands in their statements', async () => {
  await allOperations();
  const limited = allResources().filter((resource) => seenRows(resource, 't', null) !== null);
  expect(limited.map(({ name }) => name).sort()).toEqual([...SHARED].sort());
  expect([currentSight(), andSeen('tickets', 't')]).toEqual([null, '']);
  const statement = { text: 'SELECT 1', values: [1] };
  expect(filled(statement)).toBe(statement);
});

it('what stands for the caller comes behind the other parameters, once each', () => {
  const text = 'SELECT $1 WHERE a = {me} AND (b && {teams} OR c = {me})';
  expect(filled({ text, values: [7] })).toEqual({
    text: 'SELECT $1 WHERE a = $2::bigint AND (b && $3::bigint[] OR c = $2::bigint)',
    values: [7, null, []],
  });
});
